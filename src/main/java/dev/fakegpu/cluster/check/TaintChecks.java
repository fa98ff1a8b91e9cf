package dev.fakegpu.cluster.check;

import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.Limits;
import dev.fakegpu.hardware.inventory.Syntax;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Rules about taints (KEP-5055) and binding conditions (KEP-5007). */
final class TaintChecks {

    private static final String REFUSED = "The API server refuses the slice.";
    private static final Set<String> EFFECTS = Set.of("None", "NoSchedule", "NoExecute");

    private static final Rule TOO_MANY = Rule.error(
            Scope.SLICE,
            "too-many-taints",
            REFUSED,
            "Keep at most " + Limits.TAINTS + " taints.",
            Sources.types("DeviceTaintsMaxLength = " + Limits.TAINTS));
    private static final Rule KEY = Rule.error(
            Scope.SLICE,
            "invalid-taint",
            REFUSED,
            "Use a label's name as key and a label's value, or none, as value.",
            Sources.validation("validateDeviceTaint"));
    private static final Rule EFFECT = Rule.error(
            Scope.SLICE,
            "unknown-taint-effect",
            REFUSED,
            "Use NoSchedule, NoExecute or None.",
            Sources.validation("validateDeviceTaint"));
    private static final Rule TWICE = Rule.warning(
            Scope.SLICE,
            "duplicate-taint",
            "A claim has to tolerate both, which differ in nothing but their value or time.",
            "Keep one taint for each key and effect.",
            Sources.allocator("taints are matched one by one"));
    private static final Rule NO_EXECUTE = Rule.warning(
            Scope.SLICE,
            "no-execute-from-start",
            "Whoever holds the device without tolerating the taint is evicted at once, so that the device serves nobody; nothing runs on a"
                    + " new device that would have to leave.",
            "Publish the device with NoSchedule, or without the taint, and add NoExecute when pods have to leave.",
            Sources.kep("5055 (device taints): NoExecute evicts"));
    private static final Rule CONDITIONS = Rule.error(
            Scope.SLICE,
            "too-many-binding-conditions",
            REFUSED,
            "Keep at most four bindingConditions and four bindingFailureConditions.",
            Sources.types("BindingConditionsMaxSize = 4, BindingFailureConditionsMaxSize = 4"));
    private static final Rule UNPAIRED = Rule.error(
            Scope.SLICE,
            "unpaired-binding-conditions",
            REFUSED,
            "Set both bindingConditions and bindingFailureConditions, or neither.",
            Sources.validation("validateDeviceBindingParameters"));
    private static final Rule CONDITION = Rule.error(
            Scope.SLICE,
            "invalid-binding-condition",
            REFUSED,
            "Use label names, each once, and no condition as both success and failure.",
            Sources.validation("validateDeviceBindingParameters"));

    static final List<Rule> RULES = List.of(TOO_MANY, KEY, EFFECT, TWICE, NO_EXECUTE, CONDITIONS, UNPAIRED, CONDITION);

    private final CheckedDevice device;
    private final Violations findings;

    private TaintChecks(CheckedDevice device, Violations findings) {
        this.device = device;
        this.findings = findings;
    }

    static void check(CheckedDevice device, Violations findings) {
        var checks = new TaintChecks(device, findings);
        checks.taints(device.device().taints());
        checks.binding(device.device().binding());
    }

    private void taints(List<DeviceTaint> taints) {
        if (taints.size() > Limits.TAINTS) {
            findings.add(
                    TOO_MANY,
                    device.at("taints"),
                    "has %s taints, at most %s are allowed".formatted(taints.size(), Limits.TAINTS));
        }
        var seen = new HashSet<String>();
        for (int i = 0; i < taints.size(); i++) {
            taint(taints.get(i), device.at("taints[" + i + "]"));
            if (!seen.add(taints.get(i).key() + ":" + taints.get(i).effect())) {
                findings.add(TWICE, device.at("taints[" + i + "]"), "has the key and effect of another taint");
            }
        }
    }

    private void taint(DeviceTaint taint, Where where) {
        if (!Syntax.LABEL_NAME.matches(taint.key())) {
            findings.add(KEY, where, "key " + Words.quoted(taint.key()) + " is not " + Syntax.LABEL_NAME.description());
        }
        if (!Syntax.LABEL_VALUE.matches(taint.value())) {
            findings.add(
                    KEY, where, "value " + Words.quoted(taint.value()) + " is not " + Syntax.LABEL_VALUE.description());
        }
        if (!EFFECTS.contains(taint.effect())) {
            findings.add(EFFECT, where, "effect " + Words.quoted(taint.effect()) + " is not known");
        }
        if (taint.evicts()) {
            findings.add(NO_EXECUTE, where, "taint " + taint + " is there from the start");
        }
    }

    private void binding(Device.Binding binding) {
        conditions("bindingConditions", binding.conditions());
        conditions("bindingFailureConditions", binding.failureConditions());
        if (binding.conditions().isEmpty() != binding.failureConditions().isEmpty()) {
            findings.add(
                    UNPAIRED,
                    device.at(""),
                    binding.conditions().isEmpty()
                            ? "has bindingFailureConditions, but no bindingConditions"
                            : "has bindingConditions, but no bindingFailureConditions");
        }
        binding.failureConditions().stream()
                .filter(binding.conditions()::contains)
                .forEach(condition -> findings.add(
                        CONDITION,
                        device.at("bindingFailureConditions"),
                        Words.quoted(condition) + " is in bindingConditions, too"));
    }

    private void conditions(String field, List<String> conditions) {
        if (conditions.size() > Limits.BINDING_CONDITIONS) {
            findings.add(
                    CONDITIONS,
                    device.at(field),
                    "has %s conditions, at most %s are allowed"
                            .formatted(conditions.size(), Limits.BINDING_CONDITIONS));
        }
        if (new HashSet<>(conditions).size() < conditions.size()) {
            findings.add(CONDITION, device.at(field), "names a condition twice");
        }
        conditions.stream()
                .filter(condition -> !Syntax.LABEL_NAME.matches(condition))
                .forEach(condition -> findings.add(
                        CONDITION,
                        device.at(field),
                        Words.quoted(condition) + " is not " + Syntax.LABEL_NAME.description()));
    }
}
