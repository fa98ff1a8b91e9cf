package dev.fakegpu.cluster.preemption;

import dev.fakegpu.cluster.fit.PlacementFields;
import dev.fakegpu.engine.explain.finding.NameScope;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;

/** Sentences about preemption. */
public final class PreemptionText {

    public static final String COMPANION_DOES_NOT = PreemptionSetting.SETTING + " is Disabled";

    /**
     * On every node where devices are missing, its plugin for dynamic resources reports that preemption does not help ({@code
     * UnschedulableAndUnresolvable}). In a dry run of preemption, the plugin is not told that pods have left a node ({@code
     * PreFilterExtensions} is nil). Its own {@code PostFilter} only deallocates a claim of the waiting pod.
     */
    public static final String KUBE_SCHEDULER_DOES_NOT = "kube-scheduler 1.37 does not preempt pods for devices";

    /** The end of a sentence for readers who may not list them. */
    public static final String WITHOUT_BUDGETS = "; you may not list PodDisruptionBudgets";

    private PreemptionText() {}

    /**
     * The pods that are or would have to be preempted on the node.
     *
     * @param obstacle why its scheduler does not preempt them; empty if it does
     */
    public static String of(Pod pod, Preemption found, String obstacle) {
        String reason =
                "Never".equals(pod.getSpec().getPreemptionPolicy()) ? "its preemptionPolicy is Never" : obstacle;
        return (reason.isEmpty() ? "preempts " : "preempting ")
                + pods(pod, found.victims())
                + " (priority %s < %d)".formatted(priorities(found.victims()), Victims.priority(pod))
                + (reason.isEmpty() ? "" : " would make room")
                + violations(found.violations())
                + (reason.isEmpty() ? "" : ", but " + reason);
    }

    /** Event {@code Preempted} of a victim. */
    public static String preempted(NameScope reader, Pod pod, Preemption preemption) {
        String devices = devices(preemption);
        return "preempted by %s, which has a higher priority and gets %s%s"
                .formatted(name(reader, pod), devices.isEmpty() ? "node " : devices + " on ", preemption.node());
    }

    /** Event {@code Preempting} of the pod for which others are preempted. */
    public static String preempting(NameScope reader, Pod pod, Preemption preemption) {
        List<Pod> victims = preemption.victims();
        String devices = devices(preemption);
        return "preempts %s on %s (priority %s < %d)%s%s"
                .formatted(
                        PlacementFields.listed(victims.stream()
                                .map(victim -> name(reader, victim))
                                .toList()),
                        preemption.node(),
                        priorities(victims),
                        Victims.priority(pod),
                        violations(preemption.violations()),
                        devices.isEmpty() ? "" : "; gets " + devices);
    }

    private static String name(NameScope reader, Pod pod) {
        var metadata = pod.getMetadata();
        if (!reader.includes(metadata.getNamespace())) {
            return "a pod of another namespace (uid %s)".formatted(metadata.getUid());
        }
        return "pod "
                + (metadata.getNamespace().equals(reader.home())
                        ? metadata.getName()
                        : metadata.getNamespace() + "/" + metadata.getName());
    }

    /** Returns text such as {@code gpu-0 and gpu-1}; empty if it gets none. */
    private static String devices(Preemption preemption) {
        return PlacementFields.listed(preemption.allocations().values().stream()
                .flatMap(allocation -> allocation.results().stream())
                .map(result -> result.device().device())
                .distinct()
                .sorted()
                .toList());
    }

    /** Returns text such as {@code pods a, b and team/c}. */
    static String pods(Pod reader, List<Pod> pods) {
        String home = reader.getMetadata().getNamespace();
        return (pods.size() == 1 ? "pod " : "pods ")
                + PlacementFields.listed(pods.stream()
                        .map(Pod::getMetadata)
                        .map(each -> each.getNamespace().equals(home)
                                ? each.getName()
                                : each.getNamespace() + "/" + each.getName())
                        .toList());
    }

    private static String priorities(List<Pod> pods) {
        return PlacementFields.listed(pods.stream()
                .map(Victims::priority)
                .distinct()
                .sorted()
                .map(String::valueOf)
                .toList());
    }

    private static String violations(int violations) {
        return switch (violations) {
            case 0 -> "";
            case 1 -> ", 1 in violation of a PodDisruptionBudget";
            default -> ", %d in violation of PodDisruptionBudgets".formatted(violations);
        };
    }
}
