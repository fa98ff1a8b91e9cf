package dev.fakegpu.cli;

import dev.fakegpu.cluster.snapshot.ClusterSnapshot;
import dev.fakegpu.cluster.whatif.ChangedCluster;
import dev.fakegpu.cluster.whatif.WorkloadPods;
import dev.fakegpu.hardware.slices.SliceRenderer;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What becomes of a cluster if the objects of manifests are created or changed. */
final class ManifestChanges {

    private final ClusterSnapshot cluster;
    private final String namespace;
    private final SliceRenderer renderer;
    private final Consumer<String> notes;

    /**
     * Changes of a cluster.
     *
     * @param namespace of objects that name none
     * @param notes told, one text each, what is special about an object
     */
    ManifestChanges(ClusterSnapshot cluster, String namespace, SliceRenderer renderer, Consumer<String> notes) {
        this.cluster = cluster;
        this.namespace = namespace;
        this.renderer = renderer;
        this.notes = notes;
    }

    /** @throws InvalidInputException if an object cannot be read, or the operator would refuse a FakeGpu */
    void add(List<Manifest> manifests, ChangedCluster changed) {
        var objects = new ArrayList<HasMetadata>();
        for (Manifest manifest : manifests) {
            StoredObjects.check(manifest);
            if (FakeGpus.isOne(manifest)) {
                var planned = new PlannedFakeGpu(FakeGpus.read(manifest, renderer), cluster.objects(), renderer);
                planned.notes(cluster.allocated()).forEach(notes);
                changed.remove(planned::isReplaced);
                objects.addAll(planned.objects());
            } else if (WorkloadPods.hasPods(manifest.json())) {
                var workload = new WorkloadPods(manifest.json());
                replacePods(workload, manifest, changed);
                workload.pods()
                        .forEach(pod -> StoredObjects.read(new Manifest(manifest.source(), pod), namespace)
                                .ifPresent(objects::add));
            } else {
                StoredObjects.read(manifest, namespace)
                        .ifPresentOrElse(
                                objects::add,
                                () -> notes.accept(
                                        manifest.title() + " makes no difference to devices and is left out"));
            }
        }
        changed.add(objects);
    }

    private void replacePods(WorkloadPods workload, Manifest manifest, ChangedCluster changed) {
        String ofWorkload = manifest.json().path("metadata").path("namespace").asText(namespace);
        List<Pod> existing = cluster.objects().pods().stream()
                .filter(pod -> pod.getMetadata().getNamespace().equals(ofWorkload) && workload.owns(pod))
                .toList();
        existing.forEach(changed::remove);
        if (!existing.isEmpty()) {
            notes.accept("%s: its %s of the cluster %s placed anew"
                    .formatted(
                            manifest.title(),
                            existing.size() == 1 ? "pod" : existing.size() + " pods",
                            existing.size() == 1 ? "is" : "are"));
        }
    }
}
