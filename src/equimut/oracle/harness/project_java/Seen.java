package equimut_;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What one call does, as far as a test could see it. */
final class Seen {
    static final String RETURNS = "returns";
    static final String THROWS = "throws";
    /** `returns` or `throws`; `endless`; `time`, `memory`, `refused`: no evidence; `unbuilt`: no call at all. */
    final String outcome;
    final List<Facets.Facet> facets = new ArrayList<>();
    /** Places of the origin that it came to. */
    BitSet probes = new BitSet();
    long steps;
    /** An exception that the machine threw, not the code. */
    boolean accident;
    private String key;

    Seen(String outcome) {
        this.outcome = outcome;
    }

    boolean fine() {
        return (outcome.equals(RETURNS) || outcome.equals(THROWS)) && !accident;
    }

    /** Neither time nor memory tells two versions apart. */
    boolean evidence() {
        return !outcome.equals("time") && !outcome.equals("memory") && !outcome.equals("refused");
    }

    boolean same(Seen other) {
        return outcome.equals(other.outcome) && key().equals(other.key());
    }

    /** A digest of all facets: two that differ are told apart, whatever became of the facets since. */
    private String key() {
        if (key == null) {
            long digest = 0xcbf29ce484222325L; // FNV-1a
            long length = 0;
            for (Facets.Facet facet : facets) {
                String text = facet.key() + "\n" + facet.text + "\n";
                length += text.length();
                for (int i = 0; i < text.length(); i++) {
                    digest = (digest ^ text.charAt(i)) * 0x100000001b3L;
                }
            }
            key = length + " " + digest;
        }
        return key;
    }

    /** Thousands are kept: what they look like is seen again when it matters. */
    void forget() {
        key();
        facets.clear();
    }

    /** Facets that another version does not have like that. */
    List<Facets.Facet> differences(Seen other) {
        Map<String, String> known = new HashMap<>();
        for (Facets.Facet facet : other.facets) {
            known.put(facet.key(), facet.text);
        }
        List<Facets.Facet> found = new ArrayList<>();
        for (Facets.Facet facet : facets) {
            if (!facet.text.equals(known.get(facet.key()))) {
                found.add(facet);
            }
        }
        return found;
    }

    /** Facets that an assertion can state and that another version does not have like that. */
    List<Facets.Facet> stated(Seen other) {
        List<Facets.Facet> found = differences(other);
        found.removeIf(facet -> facet.recipe == null);
        return found;
    }

    /** Whether a test can tell this one from another version. */
    boolean writable(Seen other) {
        return !outcome.equals(other.outcome) || !stated(other).isEmpty();
    }

    String json() {
        StringBuilder out = new StringBuilder("{\"outcome\":\"" + outcome + "\",\"facets\":[");
        String comma = "";
        for (Facets.Facet facet : facets) {
            out.append(comma).append(facet.json());
            comma = ",";
        }
        return out.append("]}").toString();
    }
}
