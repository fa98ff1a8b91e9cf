package dev.fakegpu.e2e.support;

import static dev.fakegpu.testing.FakeGpuAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.api.FakeGpuSpec.Compatibility;
import dev.fakegpu.api.Labels;
import dev.fakegpu.testing.Deletion;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** One namespace and one FakeGpu, with the operations and assertions of tests. Everything is removed at the end. */
public final class ClusterScenario extends ObservedNamespace implements AutoCloseable {

    private static final String KUBE_SCHEDULER = "default-scheduler";

    private static final Toleration SIMULATED_NODES = new TolerationBuilder()
            .withKey(Labels.SIMULATED)
            .withOperator("Exists")
            .build();

    private final AllocatorName allocator;
    private final List<HasMetadata> clusterScoped = new ArrayList<>();
    private @Nullable FakeGpu fakeGpu;

    /** @param allocator the allocator, which is set on the FakeGpu, and whose scheduler the pods name */
    public ClusterScenario(KubernetesClient client, AllocatorName allocator) {
        super(client, "e2e-" + UUID.randomUUID().toString().substring(0, 8));
        this.allocator = allocator;
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();
    }

    /** Applies a file of {@code test-e2e/scenarios} and waits until its FakeGpu is published. */
    public void apply(String file) {
        apply(file, Compatibility.ByScheme);
    }

    public void apply(String file, Compatibility compatibility) {
        try (var yaml = Files.newInputStream(Path.of("test-e2e/scenarios", file))) {
            var resource = (GenericKubernetesResource)
                    client.getKubernetesSerialization().unmarshal(yaml, GenericKubernetesResource.class);
            var spec = Objects.requireNonNull(resource.<Map<String, Object>>get("spec"));
            spec.put("allocator", allocator.name());
            spec.put("compatibility", compatibility.name());
            client.resource(resource).create();
            awaitReady(resource.getMetadata().getName());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public FakeGpu fakeGpu() {
        return Objects.requireNonNull(fakeGpu);
    }

    public FakeGpu storedFakeGpu() {
        return client.resources(FakeGpu.class)
                .withName(fakeGpu().getMetadata().getName())
                .require();
    }

    /** Applies a JSON merge patch to the FakeGpu and waits until the change is published. */
    public void patch(String patch) {
        String name = fakeGpu().getMetadata().getName();
        client.resources(FakeGpu.class).withName(name).patch(PatchContext.of(PatchType.JSON_MERGE), patch);
        awaitReady(name);
    }

    private void awaitReady(String name) {
        await(() -> {
            var stored = client.resources(FakeGpu.class).withName(name).get();
            assertThat(stored).isReady();
            fakeGpu = stored;
        });
    }

    /** Creates a claim for one device of a type. */
    public void claim(String name, String driver, String type) {
        client.resource(SingleRequestClaims.ofType(namespace, name, driver, type)
                        .build())
                .create();
    }

    /** Creates a claim for one device of a class. */
    public void claim(String name, String deviceClass) {
        client.resource(SingleRequestClaims.ofClass(namespace, name, deviceClass)
                        .build())
                .create();
    }

    /** Creates a claim for one device of a type, which the companion allocates without a pod. */
    public void standaloneClaim(String name, String driver, String type) {
        standalone(SingleRequestClaims.ofType(namespace, name, driver, type));
    }

    private void standalone(ResourceClaimBuilder claim) {
        client.resource(claim.editMetadata()
                        .addToLabels(Labels.ALLOCATE, "true")
                        .endMetadata()
                        .build())
                .create();
    }

    /** Creates a pod that uses a claim, for the scheduler of the allocator. */
    public void pod(String name, String claim) {
        pod(name, claim, allocator == AllocatorName.Companion ? Labels.SCHEDULER_NAME : KUBE_SCHEDULER);
    }

    /** Creates a pod that uses a claim, for kube-scheduler. */
    public void podForKubeScheduler(String name, String claim) {
        pod(name, claim, KUBE_SCHEDULER);
    }

    /** Creates a pod that uses a claim, for the companion, regardless of the FakeGpu's allocator. */
    public void podForCompanion(String name, String claim) {
        pod(name, claim, Labels.SCHEDULER_NAME);
    }

    private void pod(String name, String claim, String schedulerName) {
        pod(
                name,
                List.of(claim),
                pod -> pod.editSpec()
                        .addToTolerations(SIMULATED_NODES)
                        .withSchedulerName(schedulerName)
                        .endSpec());
    }

    /** Creates a pod that uses some claims, for the companion unless changed. */
    public void pod(String name, List<String> claims, UnaryOperator<PodBuilder> change) {
        var pod = new PodBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("main")
                .withImage("busybox:1")
                .endContainer()
                .withSchedulerName(Labels.SCHEDULER_NAME)
                .endSpec();
        for (String claim : claims) {
            pod.editSpec()
                    .addNewResourceClaim()
                    .withName(claim)
                    .withResourceClaimName(claim)
                    .endResourceClaim()
                    .endSpec();
        }
        client.resource(change.apply(pod).build()).create();
    }

    /** Creates the objects in a file of {@code test-e2e/manifests}, see {@link #create(String)}. */
    public void createFrom(String file, UnaryOperator<String> edit) {
        try {
            create(edit.apply(Files.readString(Path.of("test-e2e/manifests", file))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Creates the objects of a manifest in the scenario's namespace. Pods without a {@code schedulerName} get the scheduler of the
     * allocator, and all may run on simulated nodes.
     */
    public void create(String manifest) {
        for (HasMetadata object : client.load(new ByteArrayInputStream(manifest.getBytes(StandardCharsets.UTF_8)))
                .items()) {
            if (object instanceof Pod pod) {
                adapt(pod.getSpec());
            } else if (object instanceof Deployment deployment) {
                adapt(deployment.getSpec().getTemplate().getSpec());
            }
            if (object instanceof Namespaced) {
                object.getMetadata().setNamespace(namespace);
            } else {
                clusterScoped.add(object);
            }
            client.resource(object).create();
        }
    }

    private void adapt(PodSpec pod) {
        if (pod.getSchedulerName() == null) {
            pod.setSchedulerName(allocator == AllocatorName.Companion ? Labels.SCHEDULER_NAME : KUBE_SCHEDULER);
        }
        pod.getTolerations().add(SIMULATED_NODES);
    }

    /** Creates a claim for one device of a type, and a pod of the same name that uses it. */
    public void podWithClaim(String name, String driver, String type) {
        claim(name, driver, type);
        pod(name, name);
    }

    /**
     * Cordons or uncordons a node. After cordoning, it waits until the scheduler knows this, so that later pods are not placed there;
     * otherwise their events may arrive before that of the node.
     */
    public void cordon(String node, boolean unschedulable) {
        client.nodes()
                .withName(node)
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"unschedulable\":" + unschedulable + "}}");
        if (unschedulable) {
            awaitRefused(probe -> podOn(node, probe), "node(s) were unschedulable");
        }
    }

    /** Waits until the scheduler knows that a node is no longer cordoned, so that later pods may be placed there. */
    public void awaitUncordoned(String node) {
        podOn(node, "probe");
        await(() -> assertThat(isScheduled(storedPod("probe"))).isTrue());
        deleteProbe("probe");
    }

    private void podOn(String node, String name) {
        create("""
                apiVersion: v1
                kind: Pod
                metadata: {name: %s}
                spec:
                  nodeSelector: {kubernetes.io/hostname: %s}
                  containers: [{name: main, image: "busybox:1"}]
                """.formatted(name, node));
    }

    /**
     * Waits until the scheduler knows what was stored, and therefore refuses a pod. Events of one kind may arrive later than those of pods
     * that are created after them.
     *
     * @param create creates a pod of this name that must be refused, with a claim of the same name if it needs one
     * @param why a part of the expected reason; the scheduler may have other reasons before
     */
    public void awaitRefused(Consumer<String> create, String why) {
        int probe = 0;
        do {
            create.accept("probe-" + probe);
        } while (isScheduled("probe-" + probe++, why));
    }

    private boolean isScheduled(String probe, String why) {
        await(() -> {
            Pod pod = storedPod(probe);
            assertThat(isScheduled(pod) || isRefused(pod, why)).as(why).isTrue();
        });
        boolean isScheduled = isScheduled(storedPod(probe));
        deleteProbe(probe);
        return isScheduled;
    }

    private static boolean isScheduled(Pod pod) {
        return scheduled(pod)
                .filter(condition -> condition.getStatus().equals("True"))
                .isPresent();
    }

    private static boolean isRefused(Pod pod, String why) {
        return scheduled(pod)
                .filter(condition -> String.valueOf(condition.getMessage()).contains(why))
                .isPresent();
    }

    private static Optional<PodCondition> scheduled(Pod pod) {
        return pod.getStatus().getConditions().stream()
                .filter(condition -> condition.getType().equals("PodScheduled"))
                .findFirst();
    }

    /** The next probe may have the same name, and must not be refused for lack of this one's device. */
    private void deleteProbe(String probe) {
        var pod = client.pods().inNamespace(namespace).withName(probe);
        pod.withGracePeriod(0).delete();
        deleteClaim(probe);
        await(() -> {
            assertThat(pod.get()).isNull();
            assertThat(claims().withName(probe).get()).isNull();
        });
    }

    public void deletePod(String name) {
        client.pods().inNamespace(namespace).withName(name).delete();
    }

    public void deleteClaim(String name) {
        claims().withName(name).delete();
    }

    /** Deletes all pods and claims, and waits until every device is free. */
    public void clear() {
        Deletion.ofEach(client, storedPods());
        Deletion.ofEach(client, storedClaims());
        await(() -> {
            assertThat(storedPods()).isEmpty();
            assertThat(storedClaims()).isEmpty();
        });
    }

    /** Removes everything and checks that the FakeGpus left nothing behind. */
    @Override
    public void close() {
        try {
            clear();
        } finally {
            // Leftovers in the namespace must not fail test classes that use this control plane later.
            client.namespaces().withName(namespace).delete();
            clusterScoped.forEach(object -> client.resource(object).delete());
            var fakeGpus = new FakeGpuFixture(client);
            if (fakeGpu != null) {
                fakeGpus.delete(fakeGpu.getMetadata().getName());
                fakeGpus.awaitGone(fakeGpu.getMetadata().getName());
            }
            clusterScoped.stream()
                    .filter(object -> object.getKind().equals("FakeGpu"))
                    .forEach(object -> fakeGpus.awaitGone(object.getMetadata().getName()));
        }
    }
}
