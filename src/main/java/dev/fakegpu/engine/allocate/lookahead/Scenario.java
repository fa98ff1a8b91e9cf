package dev.fakegpu.engine.allocate.lookahead;

import java.util.List;

/**
 * One value for each of some {@code matchAttribute} constraints.
 *
 * @param values the values by constraint
 */
record Scenario(List<ConstraintSupport> constraints, List<Object> values) {

    Scenario {
        values = List.copyOf(values);
    }

    /** The devices that a variant can get if the constraints agree on these values. */
    DeviceSet eligible(VariantDemand variant) {
        DeviceSet eligible = variant.eligible();
        for (int i = 0; i < constraints.size(); i++) {
            if (constraints.get(i).appliesTo(variant)) {
                eligible = eligible.and(constraints.get(i).devicesWith(values.get(i)));
            }
        }
        return eligible;
    }
}
