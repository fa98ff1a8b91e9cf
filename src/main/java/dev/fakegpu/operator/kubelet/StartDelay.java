package dev.fakegpu.operator.kubelet;

import dev.fakegpu.api.Labels;
import dev.fakegpu.hardware.inventory.field.AfterReader;
import dev.fakegpu.hardware.inventory.field.Syntax;
import dev.fakegpu.kube.watch.ObjectStore;
import dev.fakegpu.util.Moment;
import dev.fakegpu.util.Ticker;
import dev.fakegpu.util.YieldPolicy;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Delays the start of each pod while the kubelet of its node is slow or the yield policy requires it. Not thread-safe. */
final class StartDelay {

    private final YieldPolicy policy;
    private final Ticker ticker;
    private final ObjectStore<Node> nodes;
    private final Map<String, Seen> seenByUid = new HashMap<>();

    /** When the pod was first seen, and how long it may yield. */
    private record Seen(Moment at, Moment deadline) {}

    StartDelay(YieldPolicy policy, Ticker ticker, ObjectStore<Node> nodes) {
        this.policy = policy;
        this.ticker = ticker;
        this.nodes = nodes;
    }

    /** The time after which to ask again; zero if the pod starts now. The wait of the pod begins with the first call. */
    Duration remaining(Pod pod) {
        Seen seen =
                seenByUid.computeIfAbsent(pod.getMetadata().getUid(), uid -> new Seen(ticker.now(), policy.deadline()));
        Moment start = seen.at().plus(ofKubelet(pod.getSpec().getNodeName()));
        if (ticker.now().isBefore(start)) {
            return ticker.now().until(start);
        }
        return policy.yieldsUntil(seen.deadline(), pod.getMetadata().getNamespace())
                ? YieldPolicy.RECHECK_INTERVAL
                : Duration.ZERO;
    }

    private Duration ofKubelet(String node) {
        return nodes.get(null, node)
                .map(StartDelay::annotation)
                .filter(Syntax.FOR::matches)
                .map(AfterReader::read)
                .orElse(Duration.ZERO);
    }

    /** What the annotation of a node says about its kubelet; empty if the kubelet is not slow. */
    static String annotation(Node node) {
        return Objects.requireNonNullElse(node.getMetadata().getAnnotations(), Map.<String, String>of())
                .getOrDefault(Labels.START_DELAY, "");
    }

    /** Forgets all other pods. */
    void retain(Set<String> uids) {
        seenByUid.keySet().retainAll(uids);
    }
}
