package dev.fakegpu.cluster.check;

import java.util.List;

/** Rules about unreadable quantities and about mixins (KEP-5234). */
final class SliceChecks {

    private static final Rule INVALID_QUANTITY = Rule.error(
            Scope.SLICE,
            "invalid-quantity",
            "The API server cannot read the slice.",
            "Write a quantity such as 40Gi, 500m or 7.",
            "k8s.io/apimachinery/pkg/api/resource: ParseQuantity");
    private static final Rule INVALID_MIXIN = Rule.error(
            Scope.SLICE,
            "invalid-mixin",
            "Consumers of the slice cannot resolve its mixins.",
            "Declare the mixin that is included, and keep the limits; fakegpu flatten shows the slice without mixins.",
            Sources.kep("5234 (ResourceSlice mixins)"));
    private static final Rule MIXINS = Rule.warning(
            Scope.SLICE,
            "mixins-not-served",
            "No released Kubernetes has mixins: the API server drops them, and the devices lack what they include.",
            "Publish what fakegpu flatten prints.",
            Sources.kep("5234 (ResourceSlice mixins), which is not merged"));

    static final List<Rule> RULES = List.of(INVALID_QUANTITY, INVALID_MIXIN, MIXINS);

    private SliceChecks() {}

    static void check(CheckedSlice slice, Violations findings) {
        slice.problems()
                .forEach(problem -> findings.add(rule(problem.kind()), slice.at(problem.path()), problem.message()));
        if (slice.spec().has("mixins")) {
            findings.add(MIXINS, slice.at("spec.mixins"), "has mixins, of which the API server keeps nothing");
        }
    }

    private static Rule rule(CheckedSlice.Problem.Kind kind) {
        return switch (kind) {
            case QUANTITY -> INVALID_QUANTITY;
            case MIXIN -> INVALID_MIXIN;
            case NEWER_FIELD -> FieldChecks.UNKNOWN;
            case LEFT_OUT -> MIXINS;
        };
    }
}
