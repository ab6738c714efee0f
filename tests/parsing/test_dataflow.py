"""The graph is the reference's graph; what we change on purpose is exactly what differs."""

import csv
import json
from dataclasses import replace
from random import Random

import pytest

from conftest import count, shared_file
from equimut.errors import ParseError
from equimut.languages import get_language
from equimut.parsing.flow.graph import DataFlowGraph, data_flow
from equimut.parsing.functions import functions
from equimut.parsing.tokens import tokenize
from equimut.parsing.tree import SyntaxTree, parse
from oracles.flow_examples import FLOW_EXAMPLES
from oracles.random_programs import RandomProgram
from oracles.recursive_flow import RecursiveFlow

Rows = dict[tuple[int, str], set[int]]


def rows(graph: DataFlowGraph) -> Rows:
    return {(node.token, node.relation): set(node.sources) for node in graph.nodes}


def emd_code() -> dict[int, str]:
    csv.field_size_limit(10**9)
    path = shared_file("data", "emd", "MutantBench_code_db_java.csv")
    with path.open(newline="") as file:
        return {int(row["id"]): row["code"] for row in csv.DictReader(file)}


def golden_methods() -> list[tuple[list[str], Rows, str]]:
    code = emd_code()
    methods = []
    for line in shared_file("golden", "dataflow_java.jsonl").read_text().splitlines():
        row = json.loads(line)
        wanted: Rows = {}
        for _, token, relation, _, sources in row["dfg"]:
            wanted.setdefault((token, relation), set()).update(sources)
        methods.append((row["tokens"], wanted, code[row["id"]]))
    return methods


def test_every_golden_method_agrees_in_every_token_and_edge() -> None:
    methods = golden_methods()
    assert len(methods) == 19
    for tokens, wanted, code in methods:
        graph = data_flow(parse(code, "java"))
        assert [token.text for token in graph.tokens] == tokens
        assert rows(graph) == wanted


def test_the_golden_methods_would_show_a_broken_rule() -> None:
    java = get_language("java")
    for broken in ("if_statement", "for_statement", "while_statement", "variable_declarator"):
        flow = {kind: rule for kind, rule in java.flow.items() if kind != broken}
        crippled = replace(java, flow=flow)
        differing = [
            code
            for _, wanted, code in golden_methods()
            if rows(data_flow(parse(code, crippled))) != wanted
        ]
        assert differing, broken


def test_do_is_a_loop_and_nothing_else_changes_with_it() -> None:
    code = "int f(int a) { int b = a; do { b = a; a = a + 1; } while (a < 3); return a + b; }"
    java = get_language("java")
    reference = replace(
        java, flow={kind: rule for kind, rule in java.flow.items() if kind != "do_statement"}
    )
    ours, theirs = rows(data_flow(parse(code, java))), rows(data_flow(parse(code, reference)))
    assert ours.keys() == theirs.keys()
    tree = parse(code, "java")
    changed = {
        (tokenize(tree)[token].start, new)
        for (token, relation), sources in ours.items()
        for new in sources - theirs[token, relation]
    }
    # Both reads of `a` in the body may also see the `a` that the body assigns.
    body = code.index("b = a;", 30) + 4, code.index("a + 1")
    assigned = next(t for t, x in enumerate(tokenize(tree)) if x.start == code.index("a = a + 1"))
    assert changed == {(body[0], assigned), (body[1], assigned)}


def plain(tree: SyntaxTree) -> Rows:
    return RecursiveFlow(tree).graph()


def test_random_java_functions_agree_with_the_recursive_oracle() -> None:
    for seed in range(count(300, 5000)):
        tree = parse(RandomProgram(Random(seed), "java").text(), "java")
        assert not tree.errors
        assert rows(data_flow(tree)) == plain(tree), seed


def test_real_java_methods_agree_with_the_recursive_oracle() -> None:
    for number, code in list(emd_code().items())[:: count(20, 1)]:
        tree = parse(code, "java")
        kinds = {"switch", "try", "instanceof", "->"}
        if not kinds & {token.text for token in tokenize(tree)}:
            assert rows(data_flow(tree)) == plain(tree), number


def test_all_real_java_snippets_have_a_graph() -> None:
    snippets = emd_code()
    assert len(snippets) == 3112
    for code in list(snippets.values())[:: count(4, 1)]:
        tree = parse(code, "java")
        graph = data_flow(tree)
        assert not tree.errors
        assert graph.tokens == tokenize(tree)


def test_all_real_c_functions_have_a_graph() -> None:
    programs = sorted(shared_file("data", "mutantbench", "programs").glob("*.c"))
    found = 0
    for path in programs:
        source = path.read_bytes()
        for function in functions(parse(source, "c"))[:: count(3, 1)]:
            tree = parse(source[function.start : function.end], "c")
            graph = data_flow(tree)
            assert graph.tokens == tokenize(tree)
            assert len(functions(tree)) >= 1, (path.name, function.name)
            found += 1
    assert found >= count(200, 700)


def test_a_function_without_data_flow_has_an_empty_graph() -> None:
    graph = data_flow(parse("void f() { }", "java"))
    assert graph.nodes == ()
    assert [token.text for token in graph.tokens] == ["void", "f", "(", ")", "{", "}"]


def test_an_empty_source_has_an_empty_graph() -> None:
    assert data_flow(parse("", "c")) == DataFlowGraph((), ())


def test_a_variable_may_have_the_name_of_a_node_type() -> None:
    graph = data_flow(parse("int f(int identifier) { return identifier; }", "java"))
    assert [node.sources for node in graph.nodes] == [(), (4,)]


def test_the_rest_of_a_text_with_a_syntax_error_still_flows() -> None:
    tree = parse("int f(int a) { int b = a; @@ ; return b; }", "java")
    assert tree.errors
    texts = [token.text for token in data_flow(tree).tokens]
    edges = {
        (texts[node.token], texts[source])
        for node in data_flow(tree).nodes
        for source in node.sources
    }
    assert {("b", "a"), ("b", "b"), ("a", "a")} <= edges
    assert texts.count("@") == 2


@pytest.mark.parametrize("depth", [7, 60])
def test_loops_in_loops_take_bounded_time(depth: int) -> None:
    code = "void f(int a) {" + "while (a > 0) { a = a - 1;" * depth + "}" * depth + "}"
    graph = data_flow(parse(code, "java"))
    last = max(node.token for node in graph.nodes if graph.tokens[node.token].text == "a")
    reached = {source for node in graph.nodes for source in node.sources}
    assert last in reached or len(reached) > depth  # the innermost value travels round the loops


def test_work_beyond_the_limit_is_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("equimut.parsing.flow.graph.MAX_WORK", 1000)
    with pytest.raises(ParseError, match=r"over 1,000 steps"):
        data_flow(parse("void f(int a) {" + "a = a + a;" * 400 + "}", "java"))


def test_statements_nested_beyond_the_limit_are_a_clear_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("equimut.parsing.flow.graph.MAX_DEPTH", 100)
    with pytest.raises(ParseError, match=r"more than 100 deep"):
        data_flow(parse("void f(int a) {" + "if (a > 0) {" * 200 + "}" * 200 + "}", "java"))


@pytest.mark.parametrize("language", ["java", "c", "python"])
@pytest.mark.parametrize("broken", [False, True])
def test_known_tokens_are_not_read_again(language: str, broken: bool) -> None:
    """A tree whose tokens were read for a key gives the graph that a new tree gives."""
    for example in FLOW_EXAMPLES[language]:
        text = example.code.replace(")", " é ", 1) + " /* a */\n" if broken else example.code
        known, new = (_parsed_anew(text, language) for _ in range(2))
        tokens = tokenize(known)
        assert data_flow(known) == data_flow(new)
        assert data_flow(known).tokens == tokens
        assert new.read["tokens"] == tokens, "the graph leaves the tokens behind"


def _parsed_anew(text: str, language: str) -> SyntaxTree:
    return replace(parse(text, language), read={})
