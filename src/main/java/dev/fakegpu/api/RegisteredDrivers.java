package dev.fakegpu.api;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Condition {@value #TYPE} of a kubelet plugin's pod: the drivers that the kubelet has registered, as names with commas between them. The
 * kubelet keeps conditions of types that are not its own, and nobody but the plugin may write the status of pods in the plugin's namespace.
 */
public final class RegisteredDrivers {

    public static final String TYPE = "fakegpu.dev/DriversRegistered";

    private RegisteredDrivers() {}

    public static PodCondition condition(Collection<String> drivers, Instant now) {
        return new PodConditionBuilder()
                .withType(TYPE)
                .withStatus(drivers.isEmpty() ? "False" : "True")
                .withReason(drivers.isEmpty() ? "NoDriver" : "RegisteredByKubelet")
                .withMessage(String.join(",", new TreeSet<>(drivers)))
                .withLastTransitionTime(now.truncatedTo(ChronoUnit.SECONDS).toString())
                .build();
    }

    /** None if the plugin has not said anything. */
    public static Set<String> of(Pod pod) {
        if (pod.getStatus() == null || pod.getStatus().getConditions() == null) {
            return Set.of();
        }
        var drivers = new TreeSet<String>();
        pod.getStatus().getConditions().stream()
                .filter(condition -> TYPE.equals(condition.getType()) && "True".equals(condition.getStatus()))
                .flatMap(condition -> Stream.ofNullable(condition.getMessage()))
                .flatMap(message -> Stream.of(message.split(",")))
                .forEach(drivers::add);
        return drivers;
    }
}
