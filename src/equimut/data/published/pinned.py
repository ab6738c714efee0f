"""The published files: where they are, how long they are and what they must hash to."""
# ruff: noqa: E501 (a sum cannot be wrapped)

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class PinnedFile:
    """One file of a dataset, as it stood at the pinned commit."""

    name: str
    """Its place below the dataset's directory, here and in the cache."""
    size: int
    sha256: str
    remotes: tuple[str, ...]
    """Paths below the repository, tried in turn; the sum decides whether it is the right file."""


@dataclass(frozen=True)
class PinnedDataset:
    """A dataset in a public repository at one commit."""

    name: str
    repository: str
    commit: str
    files: tuple[PinnedFile, ...]


_EMD = """
e34cf17b9043ab4ae93b3bca05b1f123e08cc0166702226de959c20ee63d2b9e 2760731 MutantBench_code_db_java.csv
3545af24a99e397c2bebe6ad327e76fa9a1761baa1bfe46e6e374fc3bfc2e9e4 34062 Mutant_A_hierarchical.csv
0552dda01ff416e0a9c3c4ea1a1f8182592760a286dd75cfb360c1b32fd3986d 34070 Mutant_B_hierarchical.csv
"""

_MUTANTBENCH = """
820880ceaaa9d94817de7385d578beb3b385a9dc1dd92caef5335c9c99d1da4d 1719172 dataset.ttl
359f91178696b17fe36f42260647ea71b7e1416de8f2cab6786df7f87d13535e 177104 programs/ArrayUtils.java
96e076395e9498558aff57870468dca1e25387f0ac057542be51d4474c6724cf 802 programs/Bisect.java
389e9dd5f327515ec962a4d45b6f6e4201864c902cefa12438f13c2572bf16fd 353 programs/Bubble.java
ddaa36098e45297552675a84c7d600e9e62b9e6b2e0682d267d6e0c26bdc5981 443 programs/BubbleSort.java
6dd157d17ecfa6b2eb6e7c700bb23f11c026689e2f258580ac476f3618ea8e61 4103 programs/Calendar.c
047c5f4318f81ed1e7ce3c86b16c9dffbe57b2e1245a9016c69ca92c5bc9968a 3693 programs/Carsimulator.c
9d64d1617f718de51518a590566d238086e1e4fba00e991ebd82847675fff5ad 717 programs/Day.c
560eafb77935c329d17b099358d9bd16034946545ebb9ee671d867f08026b938 747 programs/Day.java
504862ccf0f5bc4c1800cdac77dcf001345d31c4e4d48792ef22c3e6fbaf51e0 5051 programs/Defroster.c
52461f2a8e1e2f0b21a8d624a0e40fb5b18b12beb3c40510c08f85d130bbb8eb 4582 programs/Defroster.java
28c82960f36c2961a205a6dc93b119840391c82f45900c25f18440a412e94bbc 343128 programs/Flex.c
be7010a927efa9c809822c75b07c8832ff5bc398bf33a6c65694779f18af9c85 12691 programs/Hashmap.c
be15e16f3f4195b9e5876f0007e65c53a63996a2736d967db97bf4082e7957db 530 programs/Insert.c
bd8b237e0beac378cc8326f92a407e257f3363c6e359e400f66bcb15a1e3aac5 1031 programs/Insert.java
b9e3344ca873131614901fce16c8559704f9101351b318faa921289fe9382fb7 683580 programs/Make.c
46e2283ce40b467e62a12226289799b03b780cb1ef86d35bbdcd24ddce26d84b 36089 programs/MathUtils.java
3d2986791b9cfc76f7bf1760f231289041088409261a1441f052ef10bbd6b32d 308 programs/Mid.c
59eee2b75deb6d0fcb64df230618002ac4f650a4b1c42d55e4143643ff30abff 348 programs/Mid.java
7f2f56779a0cf7c7c0aad0679ac4532e91eeb027077fa67ce559122a92f61128 110 programs/Min.c
cf97e2b1d11dda4573af93a531bf3f787bda05e376176fe8ff0bce806c384a53 128 programs/Min.java
06b5b5971d0f9a4b70c8c452899748c70ea5c8e94d2d003a9e35cfda83513a28 403 programs/Prime_num.java
f8bf189b2cf72fde4aafbccdb835b04e99e51c81a6e9a1c43f817195c46bd513 327 programs/Prime_number.c
3228e1a296c90b289cd6bece73c3d2e52ccba7270d59b2ef5028b167d5486db2 761 programs/Profit.c
fd987986bf8e270a2710aa2fd76dd2d353d9f0b8e26d7ed5ecb793fcb3f6ca01 813 programs/Profit.java
503d3e6ad1a7177ac20f843832684aa8b3a7ba9ee09413e4c237e7c11595483d 1352 programs/QuickSort.java
32ca21f27fa5079d8ade1861a76b4591d059d772112bbea50aa2ee0eaf66365d 9097 programs/Replace.c
ab4be6a317cf82bc8569e606cd11505ad066d53140ee9720cecdf9941f64d373 9029 programs/Schedule.c
c65c4e66b47f2ee6b06386879df4f989e4d308848b32cfcb663c1dd1dbe57ab1 51593 programs/Simulator.java
b17fb549f77b857c2b4fb3c9593e055052da80c916a425668e54be414eb76932 163035 programs/Space.c
06d18f0627c136990fb3b2634bcf96063b250ce0c58a9cc2a0a69b0966cb1fff 5554 programs/StringTokenizer.java
43ee32c4dee3d0131906a6e779edececb39ab505989866bd8238308b3fff743b 4314 programs/Tcas.c
5e9a3947f067e91164c8536a9d581adf2a6fc05b4dcf795b8a40b77f5b646d06 346 programs/Triangle.c
2dba0a8aa685944a83c45c2f9f0b6488b144305aa2c49a7394e5616644f37479 1219 programs/Triangle.java
125562c49c64fb9b07006d223cb3e0fd685c90778d2ad2827c7a38517158b517 11560 programs/Vector3D.java
504b9804dc135c470b2ebb7c5389cd422d659b5cc02f1d2666d4ece933cfeaa0 8538 programs/WordUtils.java
e91ec16175985d265c82b2e22d98abdbfd168990ba514d143e7871e5a82336f1 6391 programs/XmlFriendlyNameCoder.java
7b98190ad5774ae886304298cb01143ba9b0eb806408cfe1bafe47d5c4e35bf3 236 programs/bubble.c
"""


def datasets() -> Mapping[str, PinnedDataset]:
    """The datasets that can be fetched, by name."""
    return {
        "emd": PinnedDataset("emd", "tianzhaotju/EMD", "d6b664a", _files(_EMD, ("dataset/{}",))),
        "mutantbench": PinnedDataset(
            "mutantbench",
            "MutantBench/MutantBench",
            "bc3e1dc",
            # The programs moved within the repository; the dataset itself names the first place.
            _files(_MUTANTBENCH, ("mutantbench/{}", "{}")),
        ),
    }


def _files(table: str, patterns: tuple[str, ...]) -> tuple[PinnedFile, ...]:
    rows = (line.split() for line in table.strip().splitlines())
    return tuple(
        PinnedFile(name, int(size), digest, tuple(pattern.format(name) for pattern in patterns))
        for digest, size, name in rows
    )
