package dev.fakegpu.cluster.pending;

import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.DeviceStatuses;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.resource.v1.AllocatedDeviceStatus;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** What the devices of a claim wait for before its pod is bound (KEP-5007). */
final class BindingFacts {

    private BindingFacts() {}

    static List<String> of(ResourceClaim claim) {
        return Allocations.results(claim).stream()
                .filter(result -> result.getBindingConditions() != null
                        && !result.getBindingConditions().isEmpty())
                .flatMap(result -> of(claim, result).stream())
                .toList();
    }

    private static List<String> of(ResourceClaim claim, DeviceRequestAllocationResult result) {
        List<Condition> reported = DeviceStatuses.find(claim, Allocations.device(result))
                .map(AllocatedDeviceStatus::getConditions)
                .orElse(List.of())
                .stream()
                .filter(condition -> "True".equals(condition.getStatus()))
                .toList();
        List<String> awaited = result.getBindingConditions().stream()
                .filter(type -> reported.stream().noneMatch(is(type)))
                .toList();
        var facts = new ArrayList<String>();
        if (!awaited.isEmpty()) {
            // kube-scheduler's bindingTimeout and the companion's setting have the same default.
            facts.add(
                    "the pod is bound when %s has %s; schedulers wait 10 minutes for that%s, unless they are set otherwise"
                            .formatted(
                                    result.getDevice(), String.join(", ", awaited), AllocatedDeviceText.since(claim)));
        }
        result.getBindingFailureConditions().stream()
                .flatMap(type -> reported.stream().filter(is(type)))
                .map(failure -> "%s reports %s: reason=%s, message=\"%s\""
                        .formatted(result.getDevice(), failure.getType(), failure.getReason(), failure.getMessage()))
                .forEach(facts::add);
        return facts;
    }

    private static Predicate<Condition> is(String type) {
        return condition -> condition.getType().equals(type);
    }
}
