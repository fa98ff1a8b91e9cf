package dev.fakegpu.engine.explain.finding;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.engine.allocate.refusal.Blocker;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The part of a sentence about devices that cannot agree. It says which value would serve and what is in the way, or that no value would
 * serve.
 *
 * @param released the claims whose release the sentence suggests
 */
record AlignmentText(Alignment alignment, Phrases phrases, Set<ClaimRef> released) {

    /** The text; empty if a single pair of devices is more informative. */
    static Optional<AlignmentText> of(Finding finding, Explanation explanation, Phrases phrases) {
        return finding.problem() == null && finding.reason() == Reason.ConstraintNotMet
                ? Optional.ofNullable(finding.alignment())
                        .map(alignment -> new AlignmentText(alignment, phrases, Set.copyOf(explanation.toRelease())))
                        .filter(text -> text.nearest().isPresent() || text.isHopeless())
                : Optional.empty();
    }

    String obstacle() {
        return nearest()
                .map(near -> alignment.attribute() + " " + near.value() + " would serve, but " + inTheWay(near))
                .orElseGet(this::nowhere);
    }

    /** A clause with other values that would also serve. */
    Optional<String> others() {
        List<String> others = nearest().stream()
                .flatMap(near -> alignment.serving().stream().filter(value -> value != near))
                .map(value -> value.value().toString())
                .toList();
        return others.isEmpty() ? Optional.empty() : Optional.of(Phrases.list(others) + " would also serve");
    }

    private boolean isHopeless() {
        return alignment.more() == 0 && alignment.values().stream().noneMatch(Alignment.OfValue::isPossible);
    }

    private Optional<Alignment.OfValue> nearest() {
        List<Alignment.OfValue> blocked = alignment.serving().stream()
                .filter(value -> value.missing() > 0)
                .toList();
        return blocked.stream()
                .filter(value -> value.blockers().stream().anyMatch(released::contains))
                .findFirst()
                .or(() -> blocked.stream().findFirst());
    }

    /** The refusal that is in the way, preferably one that the suggested release removes. */
    private String inTheWay(Alignment.OfValue value) {
        return value.requests().stream()
                .filter(request -> request.missing() > 0)
                .flatMap(request -> request.refused().stream())
                .min(Comparator.comparing(example -> !isReleased(example)))
                .map(example -> phrases.refusal(example.device().device(), example.refusal()))
                .orElseThrow();
    }

    private boolean isReleased(Finding.Example example) {
        return example.refusal().blockers().list().stream()
                .filter(Blocker::isOther)
                .map(Blocker::claim)
                .anyMatch(released::contains);
    }

    private String nowhere() {
        List<Alignment.OfRequest> requests = alignment.values().get(0).requests();
        return requests.size() == 1
                ? "no " + alignment.attribute() + " has " + requests.get(0).wanted() + ": " + counts()
                : "no " + alignment.attribute() + " has devices for all requests: " + places(requests);
    }

    /** A text such as {@code r0 has 3, r1, r2 have 1}. */
    private String counts() {
        var byCount = alignment.values().stream()
                .collect(Collectors.groupingBy(
                        value -> -value.requests().get(0).selected(), TreeMap::new, Collectors.toList()));
        return byCount.entrySet().stream()
                .limit(2)
                .map(entry -> values(entry.getValue())
                        + (entry.getValue().size() == 1 ? " has " : " have ")
                        + -entry.getKey())
                .collect(Collectors.joining(", "));
    }

    /** A text such as {@code "gpu" on r0, "nic" on r1, r2}. */
    private String places(List<Alignment.OfRequest> requests) {
        var places = new ArrayList<String>();
        for (int i = 0; i < requests.size(); i++) {
            int number = i;
            List<Alignment.OfValue> there = alignment.values().stream()
                    .filter(value -> {
                        Alignment.OfRequest request = value.requests().get(number);
                        return request.selected() >= request.wanted();
                    })
                    .toList();
            places.add("\"" + requests.get(i).name() + "\" " + (there.isEmpty() ? "nowhere" : "on " + values(there)));
        }
        return String.join(", ", places);
    }

    private static String values(List<Alignment.OfValue> values) {
        return Phrases.list(values.stream()
                .map(Alignment.OfValue::value)
                .map(AttributeValue::toString)
                .toList());
    }

    /** Lines for a table: each value with its devices and their holders. */
    static List<String> lines(Alignment alignment, Phrases inFull) {
        Stream<String> values = alignment.values().stream()
                .map(value -> alignment.attribute() + " " + value.value()
                        + (value.serves() ? " would serve: " : " would not serve: ")
                        + value.requests().stream()
                                .map(request -> line(request, inFull))
                                .collect(Collectors.joining("; ")));
        return Stream.concat(
                        values,
                        alignment.more() > 0 ? Stream.of("and " + alignment.more() + " more values") : Stream.empty())
                .toList();
    }

    private static String line(Alignment.OfRequest request, Phrases inFull) {
        String name = "\"" + request.name() + "\" ";
        if (request.selected() == 0) {
            return name + "has no devices there";
        }
        String free =
                Phrases.list(request.devices().stream().map(DeviceId::device).toList());
        String needed = request.selected() < request.wanted() ? " (" + request.wanted() + " needed)" : "";
        if (request.missing() == 0) {
            return name + "can have " + free;
        }
        String refused = request.refused().stream()
                .map(example -> inFull.refusal(example.device().device(), example.refusal()))
                .collect(Collectors.joining(", "));
        return name
                + Stream.of(free.isEmpty() ? "" : "can have " + free, refused)
                        .filter(part -> !part.isEmpty())
                        .collect(Collectors.joining(", "))
                + needed;
    }
}
