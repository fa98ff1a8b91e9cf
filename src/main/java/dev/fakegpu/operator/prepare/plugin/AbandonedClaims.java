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
 * Finds prepared claims that were deleted, replaced or allocated differently, and that the kubelet has not unprepared: it may have lost its
 * own record, or have given up on a call that another plugin answered. They would keep their devices from other claims forever. The delay
 * is for pods that are deleted by force: their claims are deleted first, and the kubelet unprepares them within seconds.
 */
final class AbandonedClaims {

    private static final Logger LOG = Logger.getLogger(AbandonedClaims.class);

    /** How much time the kubelet gets. */
    static final Duration GRACE = Duration.ofMinutes(5);

    private final PluginPaths paths;
    private final ClusterAccess cluster;
    private final CallListener listener;
    private final Ticker ticker;

    /** By UID, the time since when each check has found the claim abandoned. */
    private final Map<String, Moment> since = new ConcurrentHashMap<>();

    AbandonedClaims(PluginPaths paths, ClusterAccess cluster, CallListener listener, Ticker ticker) {
        this.paths = paths;
        this.cluster = cluster;
        this.listener = listener;
        this.ticker = ticker;
    }

    /** Called while the node is locked: the claim exists, and the kubelet is preparing it. */
    void isWanted(ClaimRef claim) {
        since.remove(claim.uid());
    }

    /**
     * Compares the prepared claims with the claims that exist. The API server is queried while the node is not locked.
     *
     * @param removed receives the claims that are no longer prepared
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

    /** As long as the API server cannot be queried, no claim counts as abandoned. */
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
                return; // prepared again in the meantime
            }
            state.remove(ref.uid());
            removed.accept(ref);
            listener.prepared(state.checkpoint().devicesByType());
        }
        LOG.warnf(
                "claim %s (%s) is unprepared, because it is gone or allocated differently and the kubelet has not"
                        + " unprepared it",
                ref, ref.uid());
        cluster.abandoned(ref, claim.allocated());
    }
}
