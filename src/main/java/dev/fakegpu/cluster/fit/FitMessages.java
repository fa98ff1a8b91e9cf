package dev.fakegpu.cluster.fit;

import dev.fakegpu.util.Suggestion;
import io.fabric8.kubernetes.api.model.Taint;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.stream.Collectors;

/** Messages about why nodes do not fit a pod, apart from devices, in the words of kube-scheduler. */
final class FitMessages {
    private static final int MAX_LISTED = 3;

    private FitMessages() {}

    static String beingDeleted() {
        return "node(s) were being deleted";
    }

    static String notReady() {
        return "node(s) were not ready";
    }

    static String unschedulable() {
        return "node(s) were unschedulable";
    }

    static String untolerated(Taint taint) {
        return "node(s) had untolerated taint {%s: %s}"
                .formatted(taint.getKey(), Objects.requireNonNullElse(taint.getValue(), ""));
    }

    /** In the words of the kubelet. */
    static String notTolerated() {
        return "node(s) had taints that the pod didn't tolerate";
    }

    static String notSelected() {
        return "node(s) didn't match Pod's node affinity/selector";
    }

    static String portsNotFree() {
        return "node(s) didn't have free ports for the requested pod ports";
    }

    static String claimOutOfReach() {
        return "node(s) cannot use an allocated ResourceClaim of the pod";
    }

    static String notNear() {
        return "node(s) didn't match pod affinity rules";
    }

    static String notApart() {
        return "node(s) didn't match pod anti-affinity rules";
    }

    static String avoided() {
        return "node(s) didn't satisfy existing pods anti-affinity rules";
    }

    static String notSpread() {
        return "node(s) didn't match pod topology spread constraints";
    }

    static String lacksTopologyLabel() {
        return notSpread() + " (missing required label)";
    }

    static String tooManyPods() {
        return "Too many pods";
    }

    static String insufficient(String resource) {
        return "Insufficient " + resource;
    }

    static String notShared(String claim) {
        return "node allocatable resource claim %s has a mapped device and cannot be shared across pods"
                .formatted(claim);
    }

    static String requestNotCovering(String resource) {
        return "pod level request for %s is insufficient to cover the aggregated container and node-allocatable DRA requests"
                .formatted(resource);
    }

    static String limitNotCovering(String resource) {
        return "pod level limit for %s is insufficient to cover the aggregated container and node-allocatable DRA limits"
                .formatted(resource);
    }

    static String limitNotCovering(String resource, String container) {
        return "pod level limit for %s is insufficient to cover the limit and DRA overhead for container %s"
                .formatted(resource, container);
    }

    /** @param known the names of all classes */
    static String noSuchClass(String deviceClass, SortedSet<String> known) {
        return "there is no DeviceClass \"%s\"%s"
                .formatted(deviceClass, instead(deviceClass, known, List.copyOf(known)));
    }

    /** @param classes the classes of all extended resources, by resource */
    static String notServed(String resource, SortedMap<String, String> classes) {
        List<String> served = classes.entrySet().stream()
                .map(entry -> "%s of class \"%s\"".formatted(entry.getKey(), entry.getValue()))
                .toList();
        return "no node has %s, and no DeviceClass has this extendedResourceName%s"
                .formatted(resource, instead(resource, classes.keySet(), served));
    }

    /** What was probably meant, or else what there is. */
    private static String instead(String written, Set<String> known, List<String> listed) {
        int more = listed.size() - MAX_LISTED;
        return Suggestion.closest(written, known).isPresent()
                ? Suggestion.hint(written, known)
                : listed.isEmpty()
                        ? ""
                        : "; there is "
                                + listed.stream().limit(MAX_LISTED).collect(Collectors.joining(", "))
                                + (more > 0 ? " and " + more + " more" : "");
    }

    static String noNodes() {
        return "there are no nodes";
    }

    static String noNodesAvailable(int nodes, String reasons) {
        return "0/%s nodes are available: %s".formatted(nodes, reasons);
    }

    static String someDoNotFit(int unfit, int nodes) {
        return "%d of %d nodes %s not fit the pod".formatted(unfit, nodes, unfit == 1 ? "does" : "do");
    }
}
