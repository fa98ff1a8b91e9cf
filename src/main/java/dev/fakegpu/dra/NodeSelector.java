package dev.fakegpu.dra;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A Kubernetes node selector. It matches a node if one of its terms does. A term matches if all its requirements do; a term without
 * requirements never matches.
 */
public record NodeSelector(List<Term> terms) {

    /** Requirements on labels and on fields; the only field that Kubernetes supports is {@code metadata.name}. */
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

        private Optional<String> problemAsLabel() {
            if (!LABEL_KEY.matcher(key).matches()) {
                return Optional.of("invalid label key \"" + key + "\"");
            }
            boolean takesValues = switch (operator) {
                case "In", "NotIn" -> !values.isEmpty();
                case "Exists", "DoesNotExist" -> values.isEmpty();
                case "Gt", "Lt" ->
                    values.size() == 1 && INTEGER.matcher(values.get(0)).matches();
                default -> false;
            };
            if (!takesValues) {
                return Optional.of("operator \"" + operator + "\" with values " + values + " for label " + key);
            }
            return values.stream()
                    .filter(value -> !LABEL_VALUE.matcher(value).matches())
                    .findFirst()
                    .map(value -> "invalid value \"" + value + "\" for label " + key);
        }

        private Optional<String> problemAsField() {
            boolean known = operator.equals("In") || operator.equals("NotIn");
            return known && values.size() == 1
                    ? Optional.empty()
                    : Optional.of("operator \"" + operator + "\" with values " + values + " for field " + key);
        }
    }

    private static final String NODE_NAME_FIELD = "metadata.name";
    private static final Pattern LABEL_KEY = Pattern.compile("(?=[^/]{1,253}/|[^/]+$)(?:[a-z0-9](?:[-a-z0-9]*[a-z0-9])?"
            + "(?:\\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*/)?(?=.{1,63}$)[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?");
    private static final Pattern LABEL_VALUE =
            Pattern.compile("(?=.{0,63}$)(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?)?");
    private static final Pattern INTEGER = Pattern.compile("[+-]?\\d{1,18}");

    public NodeSelector {
        terms = List.copyOf(terms);
    }

    /** The selector that upstream writes for the devices of one node. */
    public static NodeSelector forNode(String nodeName) {
        return new NodeSelector(
                List.of(new Term(List.of(), List.of(new Requirement(NODE_NAME_FIELD, "In", List.of(nodeName))))));
    }

    /** The node that was passed to {@link #forNode}; empty for other selectors. */
    public Optional<String> onlyNode() {
        return terms.size() == 1
                        && terms.get(0).expressions().isEmpty()
                        && terms.get(0).fields().size() == 1
                ? terms.get(0).fields().stream()
                        .filter(field -> equals(forNode(String.join(",", field.values()))))
                        .map(field -> field.values().get(0))
                        .findFirst()
                : Optional.empty();
    }

    /**
     * The error that makes the selector invalid, if any; upstream then fails instead of matching.
     * See {@code component-helpers/scheduling/corev1/nodeaffinity} and {@code labels.NewRequirement}.
     */
    public Optional<String> problem() {
        return terms.stream()
                .flatMap(term -> Stream.concat(
                        term.expressions().stream().map(Requirement::problemAsLabel),
                        term.fields().stream().map(Requirement::problemAsField)))
                .flatMap(Optional::stream)
                .findFirst();
    }

    public boolean matches(String nodeName, Map<String, String> labels) {
        return terms.stream().anyMatch(term -> matches(term, nodeName, labels));
    }

    private static boolean matches(Term term, String nodeName, Map<String, String> labels) {
        if (term.expressions().isEmpty() && term.fields().isEmpty()) {
            return false;
        }
        return term.expressions().stream().allMatch(requirement -> matches(requirement, labels))
                && term.fields().stream().allMatch(requirement -> matchesField(requirement, nodeName));
    }

    /** Whether the node matches a requirement on a field. An unknown field counts as empty. */
    private static boolean matchesField(Requirement requirement, String nodeName) {
        String actual = requirement.key().equals(NODE_NAME_FIELD) ? nodeName : "";
        return matches(requirement, Map.of(requirement.key(), actual));
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

    /** Compares two integers. The result is zero, which satisfies neither Gt nor Lt, if either side is not an integer. */
    private static int compare(String actual, Requirement requirement) {
        try {
            return Long.compare(
                    Long.parseLong(actual), Long.parseLong(requirement.values().get(0)));
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            return 0;
        }
    }
}
