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
 * The condition {@value #TYPE} on the pod of a kubelet plugin. Its message lists the drivers that the kubelet has registered, separated by
 * commas. The kubelet keeps conditions whose types are not its own, and only the plugin may write the status of pods in the plugin's
 * namespace.
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

    /** The drivers that the condition names; empty if it is missing or not true. */
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
