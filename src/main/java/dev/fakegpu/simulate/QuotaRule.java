package dev.fakegpu.simulate;

import dev.fakegpu.cluster.quota.QuotaAdmission;
import dev.fakegpu.simulate.controller.ControllerTime;
import dev.fakegpu.simulate.memory.MemoryCluster;
import dev.fakegpu.simulate.memory.ObjectName;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Refuses pods and claims that would exceed a ResourceQuota, and remembers what is refused. Not thread-safe. */
final class QuotaRule {

    private final MemoryCluster cluster;
    private final ControllerTime time;
    private List<ResourceQuota> quotas = List.of();
    private final Map<ObjectName, String> refused = new LinkedHashMap<>();

    QuotaRule(MemoryCluster cluster, ControllerTime time) {
        this.cluster = cluster;
        this.time = time;
        cluster.addListener(object -> {
            if (object instanceof ResourceQuota) {
                quotas = cluster.list(ResourceQuota.class);
            }
        });
    }

    /** What was refused at last and does not exist, with the API server's sentence. */
    Map<ObjectName, String> refused() {
        return new LinkedHashMap<>(refused);
    }

    /** Creates an object; what is refused is left out. */
    void create(HasMetadata object) {
        try {
            cluster.create(object);
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_FORBIDDEN) {
                throw e;
            }
        }
    }

    /** One sentence for each pod and claim that is refused. */
    List<String> notes() {
        return refused.entrySet().stream()
                .map(each -> each.getKey() + " is not created: " + each.getValue())
                .toList();
    }

    /** Why the API server refuses a new object; empty if it does not. */
    Optional<String> refusal(HasMetadata object) {
        if (quotas.isEmpty() || !(object instanceof Pod || object instanceof ResourceClaim)) {
            return Optional.empty();
        }
        String namespace = object.getMetadata().getNamespace();
        var admission = QuotaAdmission.in(
                namespace,
                quotas,
                cluster.list(Pod.class),
                cluster.list(ResourceClaim.class),
                cluster.list(DeviceClass.class),
                time.instant());
        Optional<String> refusal = object instanceof Pod pod
                ? admission.refusal(pod)
                : object instanceof ResourceClaim claim ? admission.refusal(claim) : Optional.empty();
        var name =
                new ObjectName(object.getKind(), namespace, object.getMetadata().getName());
        refusal.ifPresentOrElse(sentence -> refused.put(name, sentence), () -> refused.remove(name));
        return refusal;
    }
}
