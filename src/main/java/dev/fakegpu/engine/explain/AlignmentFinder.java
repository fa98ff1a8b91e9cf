package dev.fakegpu.engine.explain;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.DeviceConstraint;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.DeviceRequest;
import dev.fakegpu.dra.ExactRequest;
import dev.fakegpu.engine.allocate.Diagnosis;
import dev.fakegpu.engine.allocate.DiagnosisResult;
import dev.fakegpu.engine.allocate.Feature;
import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.allocate.Outcome;
import dev.fakegpu.engine.allocate.pool.Pool;
import dev.fakegpu.engine.allocate.refusal.Refusal;
import dev.fakegpu.engine.explain.finding.Alignment;
import dev.fakegpu.engine.explain.finding.Finding;
import dev.fakegpu.util.NaturalOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the values of an attribute on which the devices of a claim could agree, and what is in the way. */
final class AlignmentFinder {

    private static final int MAX_VALUES = 16;

    private final HypotheticalState state;
    private final NodeInfo node;
    private final int devices;
    private final ExplanationBudget budget;

    /** @param devices the number of devices that the node can access */
    AlignmentFinder(HypotheticalState state, NodeInfo node, int devices, ExplanationBudget budget) {
        this.state = state;
        this.node = node;
        this.devices = devices;
        this.budget = budget;
    }

    /** An option of a request. The constraint applies to its devices. */
    private record Option(DeviceRequest request, ExactRequest exact) {

        String resultName() {
            return request.firstAvailable().isEmpty() ? request.name() : request.name() + "/" + exact.name();
        }
    }

    /** The devices with one value that a request selects. */
    private static final class Selected {
        private final List<DeviceId> available = new ArrayList<>();
        private final List<Finding.Example> refused = new ArrayList<>();

        Alignment.OfRequest of(Option option) {
            long wanted = option.exact().count();
            long shown = Math.min(wanted, Alignment.OfRequest.MAX_DEVICES);
            return new Alignment.OfRequest(
                    option.request().name(),
                    wanted,
                    available.size() + refused.size(),
                    available.size(),
                    available.stream().limit(shown).toList(),
                    refused.stream().limit(Alignment.OfRequest.MAX_DEVICES).toList());
        }
    }

    /** The alignment; empty if the constraint does not require that devices agree on a value, or if too much of the budget is spent. */
    Optional<Alignment> of(Claim claim, DeviceRequest request, ExactRequest option, Refusal refusal) {
        return refusal instanceof Refusal.ConstraintViolated violated
                        && violated.isMatch()
                        && violated.value() != null
                        && budget.left() > ExplanationBudget.REMEDY / 2
                ? claim.constraints().stream()
                        .filter(constraint -> violated.attribute().equals(constraint.matchAttribute())
                                && constraint.appliesTo(request, option))
                        .findFirst()
                        .flatMap(constraint -> of(claim, constraint, violated.attribute()))
                : Optional.empty();
    }

    private Optional<Alignment> of(Claim claim, DeviceConstraint constraint, String attribute) {
        List<Option> options = claim.requests().stream()
                .flatMap(request -> request.options()
                        .filter(option -> constraint.appliesTo(request, option))
                        .map(option -> new Option(request, option)))
                .toList();
        Map<DeviceId, List<AttributeValue>> values = values(attribute);
        boolean isPlain = options.stream()
                        .map(Option::exact)
                        .allMatch(option ->
                                !option.isAll() && !option.derivedAttributes().containsKey(attribute))
                && values.values().stream().flatMap(List::stream).allMatch(AlignmentFinder::isComparable);
        return isPlain
                        && state.diagnoser().diagnose(node, List.of(claim))
                                instanceof DiagnosisResult.Diagnosed diagnosed
                ? Optional.of(alignment(claim, constraint, attribute, selected(diagnosed.diagnosis(), options, values)))
                        .filter(alignment -> !alignment.values().isEmpty())
                : Optional.empty();
    }

    /** The selected devices by value and option. */
    private Map<AttributeValue, Map<Option, Selected>> selected(
            Diagnosis diagnosis, List<Option> options, Map<DeviceId, List<AttributeValue>> values) {
        var selected = new LinkedHashMap<AttributeValue, Map<Option, Selected>>();
        for (Option option : options) {
            budget.spend(devices);
            diagnosis
                    .judge(0, option.resultName())
                    .filter(judged -> isMeant(judged.refusal()))
                    .forEach(judged -> values.getOrDefault(judged.device(), List.of())
                            .forEach(value -> add(of(option, value, options, selected), judged)));
        }
        return selected;
    }

    private static Selected of(
            Option option,
            AttributeValue value,
            List<Option> options,
            Map<AttributeValue, Map<Option, Selected>> selected) {
        Map<Option, Selected> ofValue = selected.computeIfAbsent(value, ignored -> {
            var empty = new LinkedHashMap<Option, Selected>();
            options.forEach(each -> empty.put(each, new Selected()));
            return empty;
        });
        return ofValue.computeIfAbsent(option, ignored -> new Selected());
    }

    private static void add(Selected selected, Diagnosis.Judged judged) {
        Refusal refusal = judged.refusal();
        if (refusal == null) {
            selected.available.add(judged.device());
        } else {
            selected.refused.add(new Finding.Example(refusal, judged.device(), 1));
        }
    }

    private static boolean isMeant(@Nullable Refusal refusal) {
        return !(refusal instanceof Refusal.NotSelected
                || refusal instanceof Refusal.NotReached
                || refusal instanceof Refusal.SelectorFailed
                || refusal instanceof Refusal.ConstraintViolated);
    }

    /** The values of each device. If lists are compared by their elements, each element is a value. */
    private Map<DeviceId, List<AttributeValue>> values(String attribute) {
        boolean areListsKnown = state.context().options().features().contains(Feature.LIST_TYPE_ATTRIBUTES);
        var values = new HashMap<DeviceId, List<AttributeValue>>();
        for (Pool pool : state.context().slices().pools(node)) {
            if (pool instanceof Pool.Usable usable) {
                usable.devices()
                        .forEach(device ->
                                values.put(device.id(), elements(device.attribute(attribute), areListsKnown)));
            }
        }
        return values;
    }

    private static List<AttributeValue> elements(@Nullable AttributeValue value, boolean areListsKnown) {
        Stream<AttributeValue> elements = value instanceof AttributeValue.ListValue list && areListsKnown
                ? list.values().stream().distinct()
                : Stream.ofNullable(value);
        return elements.toList();
    }

    /** Whether a selector can compare the value. */
    private static boolean isComparable(AttributeValue value) {
        return value instanceof AttributeValue.StringValue
                || value instanceof AttributeValue.IntValue
                || value instanceof AttributeValue.BoolValue;
    }

    private Alignment alignment(
            Claim claim,
            DeviceConstraint constraint,
            String attribute,
            Map<AttributeValue, Map<Option, Selected>> selected) {
        List<Alignment.OfValue> inOrder = selected.entrySet().stream()
                .map(entry -> new Alignment.OfValue(entry.getKey(), false, requests(entry.getValue())))
                .sorted(Comparator.comparing((Alignment.OfValue value) -> !value.isPossible())
                        .thenComparing(Alignment.OfValue::missing)
                        .thenComparing(value -> value.value().toString(), NaturalOrder.OF_NAMES))
                .toList();
        HypotheticalState unoccupied = state.unoccupied().withPendingChanges(node);
        List<Alignment.OfValue> values = inOrder.stream()
                .limit(MAX_VALUES)
                .map(value -> value.isPossible()
                        ? new Alignment.OfValue(
                                value.value(),
                                fits(unoccupied, only(claim, constraint, selector(attribute, value.value()))),
                                value.requests())
                        : value)
                .sorted(Comparator.comparing(value -> !value.serves()))
                .toList();
        return new Alignment(attribute, values, inOrder.size() - values.size());
    }

    private boolean fits(HypotheticalState unoccupied, Claim claim) {
        List<Claim> claims = List.of(claim);
        return unoccupied.allocate(node, claims, budget.search(devices, ExplainedRequest.devices(claims)))
                instanceof Outcome.Allocated;
    }

    /** The claim with an additional selector for the devices to which the constraint applies. */
    private static Claim only(Claim claim, DeviceConstraint constraint, String selector) {
        List<DeviceRequest> requests = claim.requests().stream()
                .map(request -> new DeviceRequest(
                        request.name(),
                        request.exactly() == null ? null : only(request, request.exactly(), constraint, selector),
                        request.firstAvailable().stream()
                                .map(option -> only(request, option, constraint, selector))
                                .toList()))
                .toList();
        return new Claim(claim.ref(), requests, claim.constraints(), List.of());
    }

    private static ExactRequest only(
            DeviceRequest request, ExactRequest option, DeviceConstraint constraint, String selector) {
        return constraint.appliesTo(request, option) ? option.withSelector(selector) : option;
    }

    /** One element per request. For a request with alternatives, it is the first one that can be satisfied, or else the first. */
    private static List<Alignment.OfRequest> requests(Map<Option, Selected> selected) {
        var byRequest = new LinkedHashMap<String, Alignment.OfRequest>();
        selected.forEach((option, devices) -> byRequest.merge(
                option.request().name(),
                devices.of(option),
                (first, second) -> first.missing() > 0 && second.missing() == 0 ? second : first));
        return List.copyOf(byRequest.values());
    }

    /** A selector for devices with the value, either alone or in a list. */
    private static String selector(String attribute, AttributeValue value) {
        int slash = attribute.indexOf('/');
        String attributes = "device.attributes[\"" + attribute.substring(0, slash) + "\"]";
        String name = "\"" + attribute.substring(slash + 1) + "\"";
        String literal = value instanceof AttributeValue.StringValue text
                ? "\"" + text.value().replace("\\", "\\\\").replace("\"", "\\\"") + "\""
                : value.toString();
        return name + " in " + attributes + " && " + attributes + "[" + name + "].includes(" + literal + ")";
    }
}
