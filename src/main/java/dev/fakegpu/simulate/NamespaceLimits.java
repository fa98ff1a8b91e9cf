package dev.fakegpu.simulate;

import dev.fakegpu.cluster.fit.PodDefaults;
import dev.fakegpu.cluster.quota.ForbiddenBy;
import dev.fakegpu.cluster.quota.LimitRanges;
import dev.fakegpu.cluster.quota.QuotaAdmission;
import dev.fakegpu.cluster.quota.QuotaUsages;
import dev.fakegpu.simulate.controller.ControllerTime;
import dev.fakegpu.simulate.memory.MemoryCluster;
import dev.fakegpu.simulate.memory.ObjectName;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LimitRange;
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
import java.util.function.Function;

/** Applies LimitRanges and ResourceQuotas to new pods and claims, and records what they refuse. Not thread-safe. */
public final class NamespaceLimits {

    private final MemoryCluster cluster;
    private final QuotaUsages usages;
    private List<ResourceQuota> quotas = List.of();
    private List<LimitRange> ranges = List.of();
    private final Map<ObjectName, Refusal> refused = new LinkedHashMap<>();

    NamespaceLimits(MemoryCluster cluster, ControllerTime time) {
        this.cluster = cluster;
        usages = new QuotaUsages(time::instant);
        cluster.addListener(object -> {
            if (object instanceof ResourceQuota) {
                quotas = cluster.list(ResourceQuota.class);
            } else if (object instanceof LimitRange) {
                ranges = cluster.list(LimitRange.class);
            }
        });
    }

    /** Why an object is not created, in the API server's words. */
    public record Refusal(ForbiddenBy by, String sentence) {}

    /** The last refusal of each object that does not exist. */
    Map<ObjectName, Refusal> refused() {
        return new LinkedHashMap<>(refused);
    }

    /** Creates an object unless it is refused. */
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
                .map(each ->
                        each.getKey() + " is not created: " + each.getValue().sentence())
                .toList();
    }

    /** Why the API server refuses a new object; empty if it does not. Gives pods the defaults of LimitRanges and of the API server. */
    Optional<String> admit(HasMetadata object) {
        String namespace = object.getMetadata().getNamespace();
        Optional<Refusal> refusal = object instanceof Pod pod
                ? ofRanges(pod).or(() -> ofQuotas(namespace, admission -> admission.refusal(pod)))
                : object instanceof ResourceClaim claim
                        ? ofQuotas(namespace, admission -> admission.refusal(claim))
                        : Optional.empty();
        if (object instanceof Pod || object instanceof ResourceClaim) {
            var name = new ObjectName(
                    object.getKind(), namespace, object.getMetadata().getName());
            refusal.ifPresentOrElse(each -> refused.put(name, each), () -> refused.remove(name));
        }
        return refusal.map(Refusal::sentence);
    }

    private Optional<Refusal> ofRanges(Pod pod) {
        var limits = LimitRanges.in(pod.getMetadata().getNamespace(), ranges);
        limits.setDefaults(pod);
        PodDefaults.set(pod);
        return limits.refusal(pod).map(sentence -> new Refusal(ForbiddenBy.LimitExceeded, sentence));
    }

    private Optional<Refusal> ofQuotas(String namespace, Function<QuotaAdmission, Optional<String>> refusal) {
        if (quotas.isEmpty()) {
            return Optional.empty();
        }
        var admission = QuotaAdmission.in(
                namespace,
                quotas,
                cluster.list(Pod.class),
                cluster.list(ResourceClaim.class),
                cluster.list(DeviceClass.class),
                usages);
        return refusal.apply(admission).map(sentence -> new Refusal(ForbiddenBy.QuotaExceeded, sentence));
    }
}
