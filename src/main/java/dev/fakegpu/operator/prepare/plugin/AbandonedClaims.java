package dev.fakegpu.operator.prepare.plugin;

import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.util.Moment;
import dev.fakegpu.util.Ticker;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/**
 * Prepared claims that are gone, replaced or allocated otherwise, and that the kubelet has not unprepared: it may have lost its own record,
 * or have given up a call that another plugin answered. They would keep their devices from others for ever. A kubelet unprepares a claim
 * within seconds after its pod was deleted by force, so that the claim goes first; hence the delay.
 */
final class AbandonedClaims {

    private static final Logger LOG = Logger.getLogger(AbandonedClaims.class);

    /** How long the kubelet has time. */
    static final Duration GRACE = Duration.ofMinutes(5);

    private final PluginPaths paths;
    private final ClusterAccess cluster;
    private final CallListener listener;
    private final Ticker ticker;

    /** By UID, since when they have been found abandoned each time. */
    private final Map<String, Moment> since = new ConcurrentHashMap<>();

    AbandonedClaims(PluginPaths paths, ClusterAccess cluster, CallListener listener, Ticker ticker) {
        this.paths = paths;
        this.cluster = cluster;
        this.listener = listener;
        this.ticker = ticker;
    }

    /** Called while the node is locked: the claim is there, and the kubelet prepares it. */
    void isWanted(ClaimRef claim) {
        since.remove(claim.uid());
    }

    /**
     * Compares what is prepared with the claims that exist. The API server is asked while the node is not locked.
     *
     * @param removed learns which claims are not prepared any more
     */
    void remove(Consumer<ClaimRef> removed) throws IOException {
        List<PreparedClaim> prepared = prepared();
        since.keySet().retainAll(uids(prepared));
        for (PreparedClaim claim : prepared) {
            if (isAbandoned(claim)) {
                Moment first = since.computeIfAbsent(claim.claim().uid(), uid -> ticker.now());
                if (ticker.since(first).compareTo(GRACE) >= 0) {
                    remove(claim, removed);
                }
            }
        }
    }

    private List<PreparedClaim> prepared() throws IOException {
        try (var state = NodeState.open(paths)) {
            return state.checkpoint().claims();
        }
    }

    private static Set<String> uids(List<PreparedClaim> claims) {
        return claims.stream().map(claim -> claim.claim().uid()).collect(Collectors.toSet());
    }

    /** As long as the API server cannot be asked, nothing changes. */
    private boolean isAbandoned(PreparedClaim prepared) {
        ClaimRef ref = prepared.claim();
        try {
            boolean wanted = cluster.claim(ref.namespace(), ref.name())
                    .filter(stored -> ref.uid().equals(stored.getMetadata().getUid()))
                    .filter(stored ->
                            AllocatedResults.of(stored, paths.driver()).isOf(prepared))
                    .isPresent();
            if (wanted) {
                since.remove(ref.uid());
            }
            return !wanted;
        } catch (KubernetesClientException e) {
            return false;
        }
    }

    private void remove(PreparedClaim claim, Consumer<ClaimRef> removed) throws IOException {
        ClaimRef ref = claim.claim();
        try (var state = NodeState.open(paths)) {
            if (since.remove(ref.uid()) == null) {
                return; // prepared again meanwhile
            }
            state.remove(ref.uid());
            removed.accept(ref);
            listener.prepared(state.checkpoint().devicesByType());
        }
        LOG.warnf(
                "claim %s (%s) is unprepared, because it is gone or allocated otherwise, and no kubelet did it",
                ref, ref.uid());
        cluster.abandoned(ref, claim.allocated());
    }
}
