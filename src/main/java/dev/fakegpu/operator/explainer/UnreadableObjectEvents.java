package dev.fakegpu.operator.explainer;

import dev.fakegpu.kube.client.UnreadableFields;
import dev.fakegpu.kube.events.EventReason;
import dev.fakegpu.kube.events.EventRecorder;
import dev.fakegpu.kube.watch.UnreadableObjects;
import dev.fakegpu.util.CoalescingWorker;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.HashMap;
import java.util.Map;

/** Writes events on objects with unreadable fields, once for each version. */
final class UnreadableObjectEvents implements AutoCloseable {

    private final UnreadableObjects unreadable;
    private final EventRecorder events;
    private final CoalescingWorker worker = new CoalescingWorker("unreadable-objects", this::report);

    /** By UID. Only the worker's thread uses it. */
    private Map<String, String> reportedVersions = new HashMap<>();

    UnreadableObjectEvents(UnreadableObjects unreadable, EventRecorder events) {
        this.unreadable = unreadable;
        this.events = events;
    }

    void start() {
        unreadable.addListener(worker::request);
        worker.request();
    }

    @Override
    public void close() {
        worker.close();
    }

    private void report() {
        var versions = new HashMap<String, String>();
        for (HasMetadata object : unreadable.list()) {
            var metadata = object.getMetadata();
            String version = metadata.getResourceVersion();
            versions.put(metadata.getUid(), version);
            if (!version.equals(reportedVersions.get(metadata.getUid()))) {
                events.warning(
                        object,
                        EventReason.UnreadableFields,
                        "this version of fakegpu-operator does not understand the object, and does nothing about it: "
                                + UnreadableFields.of(object).orElse(""));
            }
        }
        reportedVersions = versions;
    }
}
