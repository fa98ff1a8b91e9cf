package dev.fakegpu.operator.publish.condition;

import dev.fakegpu.api.FakeGpuStatus;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.hardware.slices.PoolTarget;
import dev.fakegpu.kube.events.EventReason;
import dev.fakegpu.operator.publish.pool.PoolsResult;
import dev.fakegpu.operator.publish.pool.PublishResult;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Condition {@code Published}, and the events on the same topic: whether every pool of the FakeGpu is stored. */
public final class PublishedCondition {

    private static final Conditions.Type TYPE = Conditions.Type.Published;

    private PublishedCondition() {}

    public static void report(StatusReport report, PublishResult result) {
        var pools = result.pools();
        if (!result.nodes().foreign().isEmpty()) {
            nodeExists(report, result.nodes().foreign());
        } else if (!pools.taken().isEmpty()) {
            poolTaken(report, pools.taken());
        } else if (!pools.foreignSlices().isEmpty()) {
            foreignSlices(report, pools.foreignSlices());
        } else if (result.nodes().remaining() > 0) {
            publishing(
                    report,
                    progress("created", result.nodes().desired(), result.nodes().remaining()));
        } else if (pools.targets().isEmpty()) {
            report.conditions().setFalse(TYPE, "NoNodes", "no node matches spec.nodes yet" + missing(report, pools));
        } else if (pools.remaining() > 0) {
            notAllYet(report, pools);
        } else if (!pools.announced().isEmpty()) {
            awaitsRegistration(report, pools);
        } else {
            allPoolsStored(report, pools);
        }
    }

    /**
     * @param cause why an object could not be stored, in the words of the API server
     * @param nextTry is not part of the event, which would be a different event each time
     */
    public static void publishFailed(StatusReport report, String cause, Instant nextTry) {
        report.conditions()
                .setFalse(
                        TYPE,
                        "PublishFailed",
                        "the next try is at %s; the last one failed: %s"
                                .formatted(nextTry.truncatedTo(ChronoUnit.SECONDS), cause));
        report.warning(EventReason.PublishFailed, cause);
    }

    /** The event that reports how much is published. */
    public static void changed(StatusReport report, FakeGpuStatus.Totals totals) {
        report.normal(
                EventReason.Published,
                "%s devices of %s GPU(s) on %s node(s) are published"
                        .formatted(totals.devices(), totals.gpus(), totals.nodes()));
    }

    private static void notAllYet(StatusReport report, PoolsResult pools) {
        String progress = progress("published", pools.targets().size(), pools.remaining());
        if (pools.limit() == null) {
            publishing(report, progress);
        } else {
            problem(report, "MemoryLimit", EventReason.MemoryLimit, progress + ": " + pools.limit());
        }
    }

    private static void awaitsRegistration(StatusReport report, PoolsResult pools) {
        report.conditions()
                .setFalse(
                        TYPE,
                        "AwaitsKubeletPlugin",
                        "%s; the devices of %s follow when the kubelet has registered %s there, see the condition KubeletPluginReady"
                                .formatted(
                                        progress(
                                                "published",
                                                pools.targets().size(),
                                                pools.announced().size()),
                                        StatusReport.firstOf(pools.announced()),
                                        report.fakeGpu().getSpec().driver()));
    }

    private static void publishing(StatusReport report, String progress) {
        report.conditions().setFalse(TYPE, "Publishing", progress);
        report.normal(EventReason.Publishing, progress);
    }

    private static String progress(String done, int all, int remaining) {
        return "%s %s of %s node(s)".formatted(done, all - Math.min(all, remaining), all);
    }

    private static void nodeExists(StatusReport report, List<String> nodes) {
        problem(
                report,
                "NodeExists",
                EventReason.PublishFailed,
                "spec.nodes.simulated: nodes " + nodes
                        + " exist already and do not belong to this FakeGpu; rename the FakeGpu or remove the nodes");
    }

    private static void poolTaken(StatusReport report, Map<PoolId, String> owners) {
        problem(
                report,
                "PoolTaken",
                EventReason.PoolTaken,
                "spec.pool.name: published already by an older FakeGpu: "
                        + StatusReport.firstOf(owners.entrySet().stream()
                                .map(owner ->
                                        "pool %s by %s".formatted(owner.getKey().name(), owner.getValue()))
                                .toList())
                        + "; use another pool name, driver or node");
    }

    private static void foreignSlices(StatusReport report, List<String> slices) {
        problem(
                report,
                "ForeignSlices",
                EventReason.ForeignSlices,
                "slices that do not belong to this FakeGpu make its pools ambiguous: " + StatusReport.firstOf(slices)
                        + "; remove them, or use another pool name or driver");
    }

    private static void allPoolsStored(StatusReport report, PoolsResult pools) {
        report.conditions()
                .setTrue(
                        TYPE,
                        "AllPoolsStored",
                        report.fakeGpu().getSpec().nodes().isNetworkAttached()
                                ? "the pool of network-attached devices is stored"
                                : "the pools of %s node(s) are stored"
                                                .formatted(pools.targets().size())
                                        + missing(report, pools));
    }

    /** Nodes that the spec names but that do not exist, perhaps because of a typo. */
    private static String missing(StatusReport report, PoolsResult pools) {
        List<String> named = report.fakeGpu().getSpec().nodes().names();
        if (named.isEmpty()) {
            return ""; // there may be thousands of other nodes
        }
        Set<NodeSelection> existing =
                pools.targets().stream().map(PoolTarget::nodes).collect(Collectors.toSet());
        List<String> missing = named.stream()
                .filter(name -> !existing.contains(new NodeSelection.NodeName(name)))
                .toList();
        return missing.isEmpty() ? "" : "; not there yet: " + StatusReport.firstOf(missing);
    }

    private static void problem(StatusReport report, String reason, EventReason event, String message) {
        report.conditions().setFalse(TYPE, reason, message);
        report.warning(event, message);
    }
}
