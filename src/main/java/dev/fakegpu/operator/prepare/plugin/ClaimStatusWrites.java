package dev.fakegpu.operator.prepare.plugin;

import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.kube.client.Refusals;
import dev.fakegpu.kube.events.EventReason;
import dev.fakegpu.kube.events.EventRecorder;
import dev.fakegpu.util.CoalescingWorker;
import dev.fakegpu.util.RetryBackoff;
import dev.fakegpu.util.TaskExecutors;
import dev.fakegpu.util.Ticker;
import io.fabric8.kubernetes.api.model.resource.v1.AllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Writes what drivers report about the devices of claims. The kubelet waits for the first try, but is not told if it fails, since the node
 * does not depend on the status. Retries continue until the API server has stored the status, the claim is gone or allocated differently,
 * or its driver has something newer to report. What is still unwritten when the plugin ends is dropped; the next call for the claim writes
 * it.
 */
final class ClaimStatusWrites implements AutoCloseable {

    private static final Logger LOG = Logger.getLogger(ClaimStatusWrites.class);

    /**
     * The number of conflicts that are retried immediately, since other writers update the status too; further conflicts wait as other
     * failures do.
     */
    private static final int CONFLICTS_AT_ONCE = 4;

    /** @param allocation the allocation that it is about; null for any */
    private record Write(ClaimRef claim, @Nullable AllocationResult allocation, Consumer<ResourceClaim> action) {

        boolean isAbout(ResourceClaim stored) {
            return claim.uid().equals(stored.getMetadata().getUid())
                    && stored.getStatus() != null
                    && (allocation == null
                            || allocation.equals(stored.getStatus().getAllocation()));
        }
    }

    private final Function<ClaimRef, Optional<ResourceClaim>> reader;
    private final EventRecorder events;
    private final RetryBackoff backoff;
    private final CoalescingWorker worker;
    private final Map<String, Write> unwritten = new ConcurrentHashMap<>();

    /**
     * @param reader reads the stored claim by its name
     * @param events tells the claim's user what the API server refuses
     */
    ClaimStatusWrites(
            Function<ClaimRef, Optional<ResourceClaim>> reader,
            EventRecorder events,
            Ticker ticker,
            TaskExecutors executors) {
        this.reader = reader;
        this.events = events;
        this.backoff = new RetryBackoff(ticker);
        this.worker = new CoalescingWorker("claim-statuses", this::writeAgain, executors);
    }

    /**
     * @param action writes the status of the claim that it gets, which may be a newer version with the same allocation; may be called more
     *     than once
     */
    void write(String driver, ResourceClaim claim, Consumer<ResourceClaim> action) {
        var metadata = claim.getMetadata();
        var ref = new ClaimRef(metadata.getNamespace(), metadata.getName(), metadata.getUid());
        write(driver, new Write(ref, claim.getStatus().getAllocation(), action), claim);
    }

    /** Writes the status of a claim that is unknown here and may be gone. */
    void write(String driver, ClaimRef claim, Consumer<ResourceClaim> action) {
        write(driver, new Write(claim, null, action), null);
    }

    private void write(String driver, Write write, @Nullable ResourceClaim known) {
        String key = driver + "/" + write.claim().uid();
        unwritten.put(key, write);
        attempt(key, write, known);
    }

    private void writeAgain() {
        unwritten.forEach((key, write) -> {
            if (backoff.isDue(key)) {
                attempt(key, write, null);
            }
        });
    }

    private void attempt(String key, Write write, @Nullable ResourceClaim known) {
        var claim = known;
        try {
            for (int attempt = 1; ; attempt++) {
                if (claim == null) {
                    claim = reader.apply(write.claim()).filter(write::isAbout).orElse(null);
                }
                // Reads the entry before the write, so that a newer status is written to a newer version of the claim.
                if (claim == null || unwritten.get(key) != write || isStored(write, claim, attempt)) {
                    unwritten.remove(key, write);
                    backoff.retain(unwritten.keySet());
                    return;
                }
                claim = null;
            }
        } catch (KubernetesClientException e) {
            Duration wait = backoff.failed(key);
            LOG.warnf(
                    "the status of ResourceClaim %s is not updated; trying again in %d s: %s",
                    write.claim(), wait.toSeconds(), e.getMessage());
            if (claim != null && Refusals.isRefusal(e)) {
                events.warning(
                        claim,
                        EventReason.FailedStatusUpdate,
                        "the API server refuses to store the status of the devices, which is tried again at least every minute: "
                                + Refusals.message(e));
            }
            worker.requestIn(wait);
        }
    }

    /** Returns false after a conflict. */
    private static boolean isStored(Write write, ResourceClaim claim, int attempt) {
        try {
            write.action().accept(claim);
            return true;
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT || attempt == CONFLICTS_AT_ONCE) {
                throw e;
            }
            return false;
        }
    }

    @Override
    public void close() {
        worker.close();
    }
}
