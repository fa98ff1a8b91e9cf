package dev.fakegpu.cluster.check;

import dev.fakegpu.dra.DeviceTaint;
import java.util.HashSet;
import java.util.List;

/** Rules about taints that the API server accepts (KEP-5055). */
final class TaintChecks {

    private static final Rule TWICE = Rule.warning(
            Scope.SLICE,
            "duplicate-taint",
            "A claim has to tolerate both, which differ in nothing but their value or time.",
            "Keep one taint for each key and effect.",
            Sources.allocator("taints are matched one by one"));
    private static final Rule NO_EXECUTE = Rule.warning(
            Scope.SLICE,
            "no-execute-from-start",
            "Pods that hold the device without tolerating the taint are evicted at once, so the device is of no use; no pod runs on a new"
                    + " device that would have to leave.",
            "Publish the device with NoSchedule, or without the taint, and add NoExecute when pods have to leave.",
            Sources.kep("5055 (device taints): NoExecute evicts"));

    static final List<Rule> RULES = List.of(TWICE, NO_EXECUTE);

    private TaintChecks() {}

    static void check(CheckedDevice device, Violations findings) {
        var seen = new HashSet<String>();
        List<DeviceTaint> taints = device.device().taints();
        for (int i = 0; i < taints.size(); i++) {
            DeviceTaint taint = taints.get(i);
            Where where = device.at("taints[" + i + "]");
            if (!seen.add(taint.key() + ":" + taint.effect())) {
                findings.add(TWICE, where, "has the key and effect of another taint");
            }
            if (taint.evicts()) {
                findings.add(NO_EXECUTE, where, "taint " + taint + " is there from the start");
            }
        }
    }
}
