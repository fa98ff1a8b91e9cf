package dev.fakegpu.e2e.schedule;

import static java.util.stream.Collectors.joining;

import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.SliceReader;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The result of a manifest, from the objects of a cluster.
 *
 * @param createdPods the names of the manifest's own pods
 * @param podsOfControllers the number of pods of its workloads
 * @param typesByDevice the result of {@link #typesByDevice}
 */
record ManifestResult(
        List<String> createdPods,
        int podsOfControllers,
        Collection<Pod> pods,
        Collection<ResourceClaim> claims,
        Map<DeviceId, String> typesByDevice) {

    /** The reasons of schedulers; kube-scheduler uses the second one if a selector fails. */
    private static final Set<String> REFUSED = Set.of("Unschedulable", "SchedulerError");

    /** The state of a pod. */
    enum State {
        RUNNING,
        PENDING,
        STARTING,
        EVICTED
    }

    /** The number of pods of a workload; zero for other objects. */
    static int podsOfController(HasMetadata object) {
        if (object instanceof Deployment deployment) {
            return deployment.getSpec().getReplicas();
        }
        if (object instanceof StatefulSet set) {
            return set.getSpec().getReplicas();
        }
        return object instanceof Job job ? job.getSpec().getParallelism() : 0;
    }

    /** The types of devices, such as {@code gpu} or {@code mig}; {@code device} if they have none. */
    static Map<DeviceId, String> typesByDevice(Collection<ResourceSlice> slices) {
        var types = new HashMap<DeviceId, String>();
        slices.stream()
                .map(SliceReader::read)
                .forEach(slice -> slice.devices().forEach(device -> {
                    var type = device.attributes().get("type");
                    types.put(slice.pool().device(device.name()), type == null ? "device" : type.toString());
                }));
        return types;
    }

    /** A text such as {@code 2 pods run with 2 shares of 1 gpu, 1 pod pending}. */
    String inWords() {
        return states().entrySet().stream()
                .map(entry -> inWords(entry.getKey(), entry.getValue()))
                .collect(joining(", "));
    }

    /** Whether the result may be final: no pod is about to be created, started or deleted. */
    boolean isSettled() {
        return !states().containsKey(State.STARTING);
    }

    private String inWords(State state, int count) {
        String words = count == 1 ? "1 pod" : count + " pods";
        if (state == State.RUNNING) {
            return words + (count == 1 ? " runs" : " run") + held();
        }
        return words + " " + state.name().toLowerCase(Locale.ROOT);
    }

    Map<State, Integer> states() {
        var present = new HashSet<String>();
        var states = new EnumMap<State, Integer>(State.class);
        for (Pod pod : pods) {
            present.add(pod.getMetadata().getName());
            states.merge(state(pod), 1, Integer::sum);
        }
        int missing = podsOfControllers + createdPods.size() - present.size();
        for (String name : createdPods) {
            if (!present.contains(name)) {
                states.merge(State.EVICTED, 1, Integer::sum);
                missing--;
            }
        }
        if (missing > 0) {
            states.merge(State.STARTING, missing, Integer::sum);
        }
        return states;
    }

    static State state(Pod pod) {
        if (pod.getMetadata().getDeletionTimestamp() != null) {
            return State.STARTING;
        }
        if (pod.getStatus() != null && "Running".equals(pod.getStatus().getPhase())) {
            return State.RUNNING;
        }
        boolean isRefused = pod.getStatus() != null
                && pod.getStatus().getConditions().stream()
                        .anyMatch(condition -> REFUSED.contains(String.valueOf(condition.getReason())));
        return isRefused ? State.PENDING : State.STARTING;
    }

    /** A text such as {@code with 2 gpu}. */
    private String held() {
        var results = new TreeMap<String, Integer>();
        var devices = new TreeMap<String, Set<DeviceId>>();
        for (ResourceClaim claim : claims) {
            for (var result : Allocations.results(claim)) {
                String type = type(result);
                results.merge(type, 1, Integer::sum);
                devices.computeIfAbsent(type, none -> new HashSet<>()).add(Allocations.device(result));
            }
        }
        return results.isEmpty()
                ? ""
                : results.entrySet().stream()
                        .map(entry -> held(
                                entry.getKey(),
                                entry.getValue(),
                                devices.get(entry.getKey()).size()))
                        .collect(joining(", ", " with ", ""));
    }

    private static String held(String type, int results, int devices) {
        String held = devices + " " + (type.equals("device") && devices > 1 ? "devices" : type);
        return results == devices ? held : results + " shares of " + held;
    }

    private String type(DeviceRequestAllocationResult result) {
        return Boolean.TRUE.equals(result.getAdminAccess())
                ? "devices with admin access"
                : typesByDevice.getOrDefault(Allocations.device(result), "unknown");
    }
}
