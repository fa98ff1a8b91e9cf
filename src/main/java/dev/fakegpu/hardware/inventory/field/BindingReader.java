package dev.fakegpu.hardware.inventory.field;

import dev.fakegpu.api.BindingSpec;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.Limits;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Validates the binding conditions of a FakeGpu and converts them. */
public final class BindingReader {

    private BindingReader() {}

    /** Applies the rules of {@code validateDeviceBindingParameters} in Kubernetes 1.37. */
    public static void check(String field, BindingSpec binding, Problems problems) {
        checkNames(field + ".conditions", binding.conditions(), problems);
        checkNames(field + ".failureConditions", binding.failureConditions(), problems);
        for (int i = 0; i < binding.failureConditions().size(); i++) {
            String name = binding.failureConditions().get(i);
            if (binding.conditions().contains(name)) {
                problems.add(
                        field + ".failureConditions[" + i + "]",
                        name,
                        "is one of the conditions too",
                        "names that are not among conditions");
            }
        }
        if (binding.conditions().isEmpty() != binding.failureConditions().isEmpty()) {
            String missing = binding.conditions().isEmpty() ? ".conditions" : ".failureConditions";
            problems.add(
                    field + missing,
                    "",
                    "is empty",
                    "1 to " + Limits.BINDING_CONDITIONS + " names: both lists are needed, or none");
        }
        if (binding.simulate() != null) {
            checkSimulation(field, binding, binding.simulate(), problems);
        }
    }

    private static void checkSimulation(
            String field, BindingSpec binding, BindingSpec.Simulation simulation, Problems problems) {
        if (binding.conditions().isEmpty() && binding.failureConditions().isEmpty()) {
            problems.add(
                    field + ".simulate",
                    simulation.outcome(),
                    "has no conditions to set",
                    "conditions and failureConditions beside it");
        }
        if (simulation.after() != null) {
            problems.unlessMatches(Syntax.AFTER, field + ".simulate.after", simulation.after());
        }
    }

    private static void checkNames(String field, List<String> names, Problems problems) {
        problems.ifMoreThan(Limits.BINDING_CONDITIONS, names.size(), field, "conditions");
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < names.size(); i++) {
            problems.unlessMatches(Syntax.LABEL_NAME, field + "[" + i + "]", names.get(i));
            problems.ifSeen(seen, field + "[" + i + "]", names.get(i), "each once");
        }
    }

    public static Device.Binding read(BindingSpec binding) {
        return new Device.Binding(
                Boolean.TRUE.equals(binding.bindsToNode()), binding.conditions(), binding.failureConditions());
    }
}
