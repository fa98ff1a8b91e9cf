package dev.fakegpu.junit;

import dev.fakegpu.junit.cluster.Wait;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.AbstractStringAssert;
import org.assertj.core.api.Assertions;

/** Assertions about a pod. All assertions wait; if one fails, the message has the pod's events. */
public final class GpuPodAssert extends AbstractAssert<GpuPodAssert, Pod> {

    private static final String FAILED_PREPARATION = "FailedPrepareDynamicResources";

    private final ObservedObjects objects;

    GpuPodAssert(Pod pod, ObservedObjects objects) {
        super(pod, GpuPodAssert.class);
        this.objects = objects;
    }

    /** Asserts that the pod has devices and a node, and is reported as Running. */
    public GpuPodAssert isRunning() {
        return becomes("to run", GpuPodAssert::isRunning);
    }

    /** Asserts that the pod runs on this node. */
    public GpuPodAssert isRunningOn(String node) {
        return becomes(
                "to run on " + node,
                pod -> isRunning(pod) && node.equals(pod.getSpec().getNodeName()));
    }

    /** Asserts that the pod has no node, for this reason. */
    public GpuPodAssert isRefusedBecause(RefusalReason reason) {
        return becomes("to be refused because " + reason.code(), pod -> !isBound(pod) && isCode(pod, reason));
    }

    /**
     * Asserts that the claims of the pod hold exactly these devices.
     *
     * @param devices the names of devices, such as {@code gpu-0-mig-1g10gb-19-0}, or {@code pool/device}, in any order
     */
    public GpuPodAssert holds(String... devices) {
        List<String> expected = Arrays.asList(devices);
        return becomes("to hold " + expected, pod -> HeldDevice.areNamed(held(pod), expected));
    }

    /** Asserts that all devices of the pod's claims are prepared on its node. */
    public GpuPodAssert isPrepared() {
        return becomes("to be prepared", pod -> {
            var claims = objects.claims(pod).values();
            return !claims.isEmpty() && claims.stream().allMatch(HeldDevice::arePrepared);
        });
    }

    /** Asserts that the pod has a node on which its devices cannot be prepared; returns an assertion about the message of the node. */
    public AbstractStringAssert<?> failsPreparation() {
        becomes(
                "to fail in preparation",
                pod -> objects.message(pod, FAILED_PREPARATION).isPresent());
        return Assertions.assertThat(
                        objects.message(stored(), FAILED_PREPARATION).orElse(""))
                .as("why pod %s is not prepared", name());
    }

    /** Returns an assertion about the sentence that says why the pod is refused. */
    public AbstractStringAssert<?> refusal() {
        becomes("to be refused", pod -> objects.refusal(pod).isPresent());
        return Assertions.assertThat(objects.refusal(stored()).orElseThrow().sentence())
                .as("why pod %s is refused", name());
    }

    private GpuPodAssert becomes(String expected, Predicate<Pod> condition) {
        isNotNull();
        boolean isSo = Wait.atMost(objects.patience()).until(() -> {
            Pod pod = objects.pod(actual);
            return pod != null && condition.test(pod);
        });
        if (!isSo) {
            failWithMessage(
                    "Expected pod %s %s within %d s, but it %s",
                    name(), expected, objects.patience().toSeconds(), state());
        }
        return this;
    }

    private String state() {
        Pod pod = objects.pod(actual);
        if (pod == null) {
            return "does not exist";
        }
        if (isBound(pod)) {
            Optional<String> problem = isRunning(pod) ? Optional.empty() : objects.message(pod, FAILED_PREPARATION);
            return "is %s on %s with %s%s"
                    .formatted(
                            phase(pod),
                            pod.getSpec().getNodeName(),
                            held(pod),
                            problem.map(message -> ": " + message).orElse(""));
        }
        return "has no node"
                + objects.refusal(pod)
                        .map(refusal -> ": " + refusal)
                        .orElseGet(() ->
                                ", and nothing says why; is its schedulerName, \"%s\", that of the devices' allocator?"
                                        .formatted(pod.getSpec().getSchedulerName()));
    }

    private List<HeldDevice> held(Pod pod) {
        return objects.claims(pod).values().stream()
                .flatMap(claim -> HeldDevice.of(claim).stream())
                .toList();
    }

    private boolean isCode(Pod pod, RefusalReason reason) {
        return objects.refusal(pod)
                .filter(refusal -> refusal.code().equals(reason.code()))
                .isPresent();
    }

    private Pod stored() {
        Pod pod = objects.pod(actual);
        return pod == null ? actual : pod;
    }

    private static boolean isRunning(Pod pod) {
        return "Running".equals(phase(pod));
    }

    private static String phase(Pod pod) {
        return pod.getStatus() == null ? "Pending" : pod.getStatus().getPhase();
    }

    private static boolean isBound(Pod pod) {
        return pod.getSpec().getNodeName() != null;
    }

    private String name() {
        return actual.getMetadata().getNamespace() + "/" + actual.getMetadata().getName();
    }
}
