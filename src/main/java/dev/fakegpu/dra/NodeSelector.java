package dev.fakegpu.dra;

import java.util.List;
import java.util.Map;

/** A Kubernetes node selector: terms are alternatives, the requirements of a term must all hold; a term without any never matches. */
public record NodeSelector(List<Term> terms) {

    /** Requirements on labels and on fields, of which Kubernetes knows {@code metadata.name} only. */
    public record Term(List<Requirement> expressions, List<Requirement> fields) {
        public Term {
            expressions = List.copyOf(expressions);
            fields = List.copyOf(fields);
        }
    }

    /** {@code operator} is In, NotIn, Exists, DoesNotExist, Gt or Lt. */
    public record Requirement(String key, String operator, List<String> values) {
        public Requirement {
            values = List.copyOf(values);
        }
    }

    public NodeSelector {
        terms = List.copyOf(terms);
    }

    /** The selector that upstream writes for devices of one node. */
    public static NodeSelector forNode(String nodeName) {
        return new NodeSelector(
                List.of(new Term(List.of(), List.of(new Requirement("metadata.name", "In", List.of(nodeName))))));
    }

    public boolean matches(String nodeName, Map<String, String> labels) {
        return terms.stream().anyMatch(term -> matches(term, nodeName, labels));
    }

    private static boolean matches(Term term, String nodeName, Map<String, String> labels) {
        if (term.expressions().isEmpty() && term.fields().isEmpty()) {
            return false;
        }
        return term.expressions().stream().allMatch(requirement -> matches(requirement, labels))
                && term.fields().stream()
                        .allMatch(requirement -> matches(requirement, Map.of("metadata.name", nodeName)));
    }

    private static boolean matches(Requirement requirement, Map<String, String> labels) {
        String actual = labels.get(requirement.key());
        return switch (requirement.operator()) {
            case "In" -> actual != null && requirement.values().contains(actual);
            case "NotIn" -> actual == null || !requirement.values().contains(actual);
            case "Exists" -> actual != null;
            case "DoesNotExist" -> actual == null;
            case "Gt" -> actual != null && compare(actual, requirement) > 0;
            case "Lt" -> actual != null && compare(actual, requirement) < 0;
            default -> false;
        };
    }

    /** Zero, which satisfies neither Gt nor Lt, where one side is no integer. */
    private static int compare(String actual, Requirement requirement) {
        try {
            return Long.compare(
                    Long.parseLong(actual), Long.parseLong(requirement.values().get(0)));
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            return 0;
        }
    }
}
