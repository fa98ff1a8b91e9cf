package dev.fakegpu.dashboard.server;

import static dev.fakegpu.dashboard.server.NamesInPods.list;

import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.dra.wire.ClaimConsumers;
import dev.fakegpu.kube.client.UnreadableFields;
import dev.fakegpu.kube.manifest.PodGroup;
import dev.fakegpu.kube.watch.PodClaims;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.NodeAllocatableResourceClaimStatus;
import io.fabric8.kubernetes.api.model.NodeAllocatableResourceClaimStatusBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodExtendedResourceClaimStatusBuilder;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import io.fabric8.kubernetes.api.model.PodResourceClaimBuilder;
import io.fabric8.kubernetes.api.model.PodResourceClaimStatus;
import io.fabric8.kubernetes.api.model.PodResourceClaimStatusBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.AllocatedDeviceStatus;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceTaintRule;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceTaintRuleBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimConsumerReference;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimConsumerReferenceBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimStatus;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplateBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Replaces the names that a caller may not see in objects of one version of the cluster. */
final class NameReplacements {

    /** The replacements for a driver's message about a claim, and for the text about unreadable fields, which quotes them. */
    static final String MESSAGE = "the message is shown only to those who may read the claim";

    static final String UNREADABLE = "fields that cannot be read are shown only to those who may read the object";

    /** So many characters of a UID that no two objects of a cluster share them. */
    private static final int UID_LENGTH = 13;

    private static final String UNKNOWN = "unknown";

    /** The kind of a PodGroup that owns a claim. */
    private static final String GROUP = "podgroup";

    private final Visibility visibility;
    private final Map<String, String> uids = new HashMap<>();

    NameReplacements(Visibility visibility, ClusterObjects objects) {
        this.visibility = visibility;
        Stream.of(objects.namespaces(), objects.claims(), objects.claimTemplates(), objects.podGroups())
                .flatMap(List::stream)
                .forEach(object -> uids.put(
                        key(
                                object.getClass(),
                                object.getMetadata().getNamespace(),
                                object.getMetadata().getName()),
                        object.getMetadata().getUid()));
    }

    private static String placeholder(String kind, @Nullable String uid) {
        String known = uid == null ? UNKNOWN : uid;
        return "(%s %s)".formatted(kind, known.substring(0, Math.min(UID_LENGTH, known.length())));
    }

    private static String key(Class<?> kind, @Nullable String namespace, String name) {
        return kind.getSimpleName() + "/" + namespace + "/" + name;
    }

    /** The UIDs change when a named object is created, even if another one had the same name before. */
    List<String> uidsOfNamed(HasMetadata object) {
        String namespace = object.getMetadata().getNamespace();
        if (namespace == null) {
            return List.of();
        }
        var named = new ArrayList<>(List.of(uid(Namespace.class, null, namespace)));
        if (object instanceof Pod pod) {
            NamesInPods.claims(pod).forEach(claim -> named.add(uid(ResourceClaim.class, namespace, claim)));
            NamesInPods.templates(pod)
                    .forEach(template -> named.add(uid(ResourceClaimTemplate.class, namespace, template)));
            PodGroup.nameFor(pod).ifPresent(group -> named.add(uid(PodGroup.class, namespace, group)));
        } else if (object instanceof PodGroup group) {
            NamesInPods.claims(group).forEach(claim -> named.add(uid(ResourceClaim.class, namespace, claim)));
        }
        return named;
    }

    private String uid(Class<?> kind, @Nullable String namespace, String name) {
        return Objects.requireNonNullElse(uids.get(key(kind, namespace, name)), UNKNOWN);
    }

    /** The values of unreadable fields are withheld where the name of the object is. */
    HasMetadata withheld(HasMetadata object) {
        HasMetadata shown = named(object);
        if (!shown.getMetadata().getName().equals(object.getMetadata().getName())) {
            UnreadableFields.replace(shown.getMetadata(), UNREADABLE);
        }
        return shown;
    }

    private HasMetadata named(HasMetadata object) {
        if (object instanceof DeviceTaintRule rule) {
            return visibility.taintRules() ? rule : rule(rule);
        }
        String namespace = object instanceof Namespace each
                ? each.getMetadata().getName()
                : object.getMetadata().getNamespace();
        if (namespace == null || visibility.namesEverythingIn(namespace)) {
            return object;
        }
        if (object instanceof Pod pod) {
            return pod(pod);
        } else if (object instanceof ResourceClaim claim) {
            return claim(claim);
        } else if (object instanceof ResourceClaimTemplate template) {
            return template(template);
        } else if (object instanceof PodGroup group) {
            return podGroup(group);
        } else if (object instanceof Namespace each) {
            return new NamespaceBuilder(each)
                    .editMetadata()
                    .withName(namespace(namespace))
                    .endMetadata()
                    .build();
        }
        String kind = object.getKind().toLowerCase(Locale.ROOT);
        return TenantLimits.renamed(object, meta -> metadata(meta, placeholder(kind, meta.getUid())));
    }

    private String namespace(String name) {
        return visibility.namesAnythingIn(name)
                ? name
                : placeholder("namespace", uids.get(key(Namespace.class, null, name)));
    }

    private String claim(String namespace, String name) {
        return visibility.claims().include(namespace)
                ? name
                : placeholder("claim", uids.get(key(ResourceClaim.class, namespace, name)));
    }

    private String templateName(String namespace, String name) {
        return visibility.claims().include(namespace)
                ? name
                : placeholder("template", uids.get(key(ResourceClaimTemplate.class, namespace, name)));
    }

    /** Shown only if everything may be named, because texts about a gang reveal what the claims of all its pods request. */
    private String podGroupName(String namespace, String name) {
        return placeholder(GROUP, uids.get(key(PodGroup.class, namespace, name)));
    }

    private PodGroup podGroup(PodGroup group) {
        ObjectMeta metadata = group.getMetadata();
        String namespace = metadata.getNamespace();
        return group.renamed(
                metadata(metadata, podGroupName(namespace, metadata.getName())),
                name -> claim(namespace, name),
                name -> templateName(namespace, name));
    }

    private DeviceTaintRule rule(DeviceTaintRule rule) {
        return new DeviceTaintRuleBuilder(rule)
                .editMetadata()
                .withName(placeholder("rule", rule.getMetadata().getUid()))
                .endMetadata()
                .build();
    }

    private ResourceClaimTemplate template(ResourceClaimTemplate template) {
        ObjectMeta metadata = template.getMetadata();
        return new ResourceClaimTemplateBuilder(template)
                .withMetadata(metadata(metadata, templateName(metadata.getNamespace(), metadata.getName())))
                .build();
    }

    private ResourceClaim claim(ResourceClaim claim) {
        ObjectMeta metadata = claim.getMetadata();
        var copy = new ResourceClaim();
        copy.setMetadata(metadata(metadata, claim(metadata.getNamespace(), metadata.getName())));
        copy.setSpec(claim.getSpec());
        if (claim.getStatus() != null) {
            copy.setStatus(status(claim.getStatus(), metadata.getNamespace()));
        }
        return copy;
    }

    /** Allocations are not copied: their only names are those of requests, which are not shown for claims with withheld names. */
    private ResourceClaimStatus status(ResourceClaimStatus status, String namespace) {
        var copy = new ResourceClaimStatus();
        copy.setAllocation(status.getAllocation());
        copy.setDevices(
                visibility.claims().include(namespace)
                        ? status.getDevices()
                        : list(status.getDevices())
                                .map(NameReplacements::device)
                                .toList());
        copy.setReservedFor(list(status.getReservedFor())
                .map(consumer -> consumer(consumer, namespace))
                .toList());
        return copy;
    }

    private static AllocatedDeviceStatus device(AllocatedDeviceStatus device) {
        var copy = new AllocatedDeviceStatus();
        copy.setDriver(device.getDriver());
        copy.setPool(device.getPool());
        copy.setDevice(device.getDevice());
        copy.setShareID(device.getShareID());
        copy.setData(device.getData());
        copy.setConditions(
                list(device.getConditions()).map(NameReplacements::condition).toList());
        return copy;
    }

    private static Condition condition(Condition condition) {
        return new ConditionBuilder(condition).withMessage(MESSAGE).build();
    }

    private ResourceClaimConsumerReference consumer(ResourceClaimConsumerReference consumer, String namespace) {
        boolean isPod = ClaimConsumers.isPod(consumer);
        boolean isGroup = PodClaims.isGroup(consumer);
        return !isGroup && (isPod ? visibility.pods() : visibility.claims()).include(namespace)
                ? consumer
                : new ResourceClaimConsumerReferenceBuilder(consumer)
                        .withName(placeholder(isGroup ? GROUP : isPod ? "pod" : "object", consumer.getUid()))
                        .build();
    }

    private Pod pod(Pod pod) {
        ObjectMeta metadata = pod.getMetadata();
        var copy = new Pod();
        copy.setMetadata(metadata(
                metadata,
                visibility.pods().include(metadata.getNamespace())
                        ? metadata.getName()
                        : placeholder("pod", metadata.getUid())));
        copy.setSpec(spec(pod.getSpec(), metadata.getNamespace()));
        copy.setStatus(status(pod.getStatus(), metadata.getNamespace()));
        return copy;
    }

    private @Nullable PodSpec spec(@Nullable PodSpec spec, String namespace) {
        if (spec == null || (spec.getResourceClaims().isEmpty() && spec.getSchedulingGroup() == null)) {
            return spec;
        }
        var copy = new PodSpecBuilder(spec)
                .withResourceClaims(spec.getResourceClaims().stream()
                        .map(reference -> reference(reference, namespace))
                        .toList());
        if (spec.getSchedulingGroup() != null) {
            String group = spec.getSchedulingGroup().getPodGroupName();
            copy.editSchedulingGroup()
                    .withPodGroupName(group == null ? null : podGroupName(namespace, group))
                    .endSchedulingGroup();
        }
        return copy.build();
    }

    private PodResourceClaim reference(PodResourceClaim reference, String namespace) {
        var copy = new PodResourceClaimBuilder(reference);
        if (reference.getResourceClaimName() != null) {
            copy.withResourceClaimName(claim(namespace, reference.getResourceClaimName()));
        }
        if (reference.getResourceClaimTemplateName() != null) {
            copy.withResourceClaimTemplateName(templateName(namespace, reference.getResourceClaimTemplateName()));
        }
        return copy.build();
    }

    private @Nullable PodStatus status(@Nullable PodStatus status, String namespace) {
        if (status == null || NamesInPods.claims(status).findAny().isEmpty()) {
            return status;
        }
        var copy = new PodStatusBuilder(status)
                .withResourceClaimStatuses(list(status.getResourceClaimStatuses())
                        .map(each -> generated(each, namespace))
                        .toList())
                .withNodeAllocatableResourceClaimStatuses(list(status.getNodeAllocatableResourceClaimStatuses())
                        .map(each -> taking(each, namespace))
                        .toList());
        if (status.getExtendedResourceClaimStatus() != null) {
            var extended = new PodExtendedResourceClaimStatusBuilder(status.getExtendedResourceClaimStatus());
            String name = status.getExtendedResourceClaimStatus().getResourceClaimName();
            copy.withExtendedResourceClaimStatus(
                    extended.withResourceClaimName(claim(namespace, name)).build());
        }
        return copy.build();
    }

    private PodResourceClaimStatus generated(PodResourceClaimStatus status, String namespace) {
        return status.getResourceClaimName() == null
                ? status
                : new PodResourceClaimStatusBuilder(status)
                        .withResourceClaimName(claim(namespace, status.getResourceClaimName()))
                        .build();
    }

    private NodeAllocatableResourceClaimStatus taking(NodeAllocatableResourceClaimStatus status, String namespace) {
        return status.getResourceClaimName() == null
                ? status
                : new NodeAllocatableResourceClaimStatusBuilder(status)
                        .withResourceClaimName(claim(namespace, status.getResourceClaimName()))
                        .build();
    }

    private ObjectMeta metadata(ObjectMeta metadata, String name) {
        return new ObjectMetaBuilder(metadata)
                .withName(name)
                .withGenerateName(null)
                .withNamespace(namespace(metadata.getNamespace()))
                .withOwnerReferences(list(metadata.getOwnerReferences())
                        .map(owner -> owner(owner, metadata.getNamespace()))
                        .toList())
                .build();
    }

    /** The names of the owners of pods and claims reveal as much as the names of these. */
    private OwnerReference owner(OwnerReference owner, String namespace) {
        return visibility.pods().include(namespace) && !owner.getKind().equals("PodGroup")
                ? owner
                : new OwnerReferenceBuilder(owner)
                        .withName(placeholder(owner.getKind().toLowerCase(Locale.ROOT), owner.getUid()))
                        .build();
    }
}
