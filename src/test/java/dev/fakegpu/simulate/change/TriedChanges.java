package dev.fakegpu.simulate.change;

import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.cluster.snapshot.GateSources;
import dev.fakegpu.cluster.whatif.Attempt;
import dev.fakegpu.cluster.whatif.Changes;
import dev.fakegpu.cluster.whatif.WhatIf;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import dev.fakegpu.simulate.memory.ApiObjects;
import dev.fakegpu.testing.ClusterYaml;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;

/** Changes for tests, and their results. */
final class TriedChanges {

    private TriedChanges() {}

    static Changes adding(String... yaml) {
        var changes = new Changes();
        add(changes, ClusterYaml.objects(yaml));
        return changes;
    }

    static void add(Changes changes, List<HasMetadata> objects) {
        changes.apply(objects.stream().map(ApiObjects::write).toList());
    }

    static WhatIf tried(ClusterObjects before, Changes changes) {
        return PlayedChanges.of(before, changes, GateSources.NONE, KubernetesVersion.NEWEST);
    }

    static List<String> devices(Attempt attempt) {
        return attempt.devices().stream().map(DeviceId::device).toList();
    }
}
