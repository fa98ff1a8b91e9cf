package dev.fakegpu.kube.client;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceTaintRule;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Reads DeviceTaintRules of each version that an API server may serve. */
public final class TaintRuleVersions {

    /** The newest first: {@code v1} is served since Kubernetes 1.37, {@code v1beta2} since 1.36, and {@code v1alpha3} since 1.33. */
    public static final List<Class<? extends HasMetadata>> TYPES = List.of(
            DeviceTaintRule.class,
            io.fabric8.kubernetes.api.model.resource.v1beta2.DeviceTaintRule.class,
            io.fabric8.kubernetes.api.model.resource.v1alpha3.DeviceTaintRule.class);

    private TaintRuleVersions() {}

    /** The type of the newest version that is served; empty if none is. */
    public static Optional<Class<? extends HasMetadata>> served(KubernetesClient client) {
        return TYPES.stream().filter(client::supports).findFirst();
    }

    /**
     * A rule as {@code v1}. If its selector has fields that {@code v1} does not have, such as {@code deviceClassName} and {@code
     * selectors} in Kubernetes 1.34, it is marked with {@link UnreadableFields}: without these fields, it would select more devices.
     */
    public static DeviceTaintRule toV1(KubernetesClient client, HasMetadata rule) {
        DeviceTaintRule current = rule instanceof DeviceTaintRule same
                ? same
                : client.getKubernetesSerialization().convertValue(rule, DeviceTaintRule.class);
        Set<String> unknown = unknownFields(current);
        if (!unknown.isEmpty() && UnreadableFields.isReadable(current)) {
            UnreadableFields.mark(
                    current,
                    unknown.stream()
                            .map(
                                    "field spec.deviceSelector.%s cannot be read: resource.k8s.io/v1 does not have it"
                                            ::formatted)
                            .toList());
        }
        return current;
    }

    private static Set<String> unknownFields(DeviceTaintRule rule) {
        return rule.getSpec() == null || rule.getSpec().getDeviceSelector() == null
                ? Set.of()
                : new TreeSet<>(rule.getSpec()
                        .getDeviceSelector()
                        .getAdditionalProperties()
                        .keySet());
    }
}
