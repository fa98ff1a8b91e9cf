package dev.fakegpu.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.ClusterScenario;
import dev.fakegpu.e2e.support.OperatorProcess;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tests objects of every watched kind with the fields of another version of Kubernetes, or of the CRD: the operator reports what cannot be
 * read on the object, and everything else works, also if the operator finds the objects stored when it starts. {@link UnreadableFieldsE2E}
 * tests the decisions.
 */
@Tag("long")
class UnreadableObjectsE2E {

    private static final String GPU = "gpu.example.com";

    private static final Pattern LOGGED = Pattern.compile("(\\w+ \\S+, version \\d+): field \\S+ cannot be read");

    /** A manifest for each kind that the operator watches; its metadata is filled in. */
    private static final Map<String, String> MANIFESTS = new TreeMap<>(Map.of(
            "Pod", "{apiVersion: v1, kind: Pod, metadata: {%s}, spec: {containers: [{name: c, image: i}]}}",
            "Node", "{apiVersion: v1, kind: Node, metadata: {%s}}",
            "Namespace", "{apiVersion: v1, kind: Namespace, metadata: {%s}}",
            "ConfigMap", "{apiVersion: v1, kind: ConfigMap, metadata: {%s, namespace: fakegpu-system}, data: {a: b}}",
            "ResourceClaim", "{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {%s}, spec: {}}",
            "ResourceSlice",
                    "{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {%s}, "
                            + "spec: {driver: d.example.com, nodeName: n, pool: {name: p, generation: 1, resourceSliceCount: 1}}}",
            "DeviceClass", "{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {%s}, spec: {}}",
            "DeviceTaintRule",
                    "{apiVersion: resource.k8s.io/v1, kind: DeviceTaintRule, metadata: {%s}, "
                            + "spec: {deviceSelector: {driver: nobody.example.com}, taint: {key: a, effect: None}}}",
            "FakeGpu",
                    "{apiVersion: fakegpu.dev/v1alpha1, kind: FakeGpu, metadata: {%s}, "
                            + "spec: {driver: nobody.example.com, nodes: {names: [nowhere]}, model: L40S}}"));

    @RegisterExtension
    static final ClusterExtension cluster =
            ClusterExtension.withControllerManager().withoutOperator();

    private static ProxiedOperator proxied;
    private static FaultProxy proxy;
    private static OperatorProcess operator;

    private final KubernetesClient client = cluster.client();
    private final List<HasMetadata> created = new ArrayList<>();

    @BeforeAll
    static void startOperator() {
        proxied = ProxiedOperator.start(
                cluster.controlPlane(), 0, FaultRule.always(new Fault.Rewritten(ObjectRewrite.unreadableFields())));
        proxy = proxied.proxy();
        operator = proxied.operator();
    }

    @AfterAll
    static void stopOperator() {
        proxied.close();
    }

    @AfterEach
    void removeObjects() {
        created.forEach(object -> client.resource(object).withGracePeriod(0).delete());
    }

    @Test
    void unreadableObjectsAreReportedAndAffectNoOthers() {
        try (var scenario = cluster.scenario(AllocatorName.Companion)) {
            // Given
            scenario.apply("example-3.yaml");

            // When
            MANIFESTS.keySet().forEach(kind -> {
                create(scenario, kind, "unreadable-1", kind.equals("ConfigMap") ? "data" : "spec");
                create(scenario, kind, "unreadable-2", "metadata.ownerReferences");
            });

            // Then
            assertCounted("2.0");
            created.forEach(this::assertTold);
            scenario.podWithClaim("before", GPU, "mig-1g");
            scenario.awaitRunning("before");

            // When
            proxy.inject(FaultRule.always(new Fault.Rewritten(ObjectRewrite.unreadableFields()))); // watches restart

            // Then
            scenario.podWithClaim("between", GPU, "mig-1g");
            scenario.awaitRunning("between");
            List<String> logged = logged();
            assertThat(logged).doesNotHaveDuplicates();
            created.forEach(object -> assertThat(logged).anyMatch(line -> line.startsWith(title(object))));

            // When
            operator.crash();

            // Then
            operator.assertHealthy();
            assertCounted("2.0");
            scenario.deletePod("before");
            scenario.deletePod("between");
            scenario.podWithClaim("after", GPU, "vgpu");
            scenario.awaitRunning("after");
            scenario.assertPossible();

            // When
            created.forEach(this::makeReadable);

            // Then
            assertCounted("0.0");
            operator.assertHealthy();
        }
    }

    private void create(ClusterScenario scenario, String kind, String name, String field) {
        String metadata =
                "name: %s, labels: {fakegpu.dev/catalog: 'true', %s: %s}".formatted(name, ObjectRewrite.LABEL, field);
        var yaml = new ByteArrayInputStream(
                ("---\n" + MANIFESTS.get(kind).formatted(metadata)).getBytes(StandardCharsets.UTF_8));
        for (HasMetadata object : client.load(yaml).items()) {
            if (object instanceof Namespaced && object.getMetadata().getNamespace() == null) {
                object.getMetadata().setNamespace(scenario.namespace());
            }
            created.add(client.resource(object).create());
        }
    }

    private void makeReadable(HasMetadata object) {
        client.resource(object)
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"labels\":{\"" + ObjectRewrite.LABEL + "\":null}}}");
    }

    private static void assertCounted(String number) {
        Awaitility.await().untilAsserted(() -> {
            String metrics = operator.metrics();
            for (String kind : MANIFESTS.keySet()) {
                assertThat(metrics)
                        .containsPattern("fakegpu_watch_unreadable_objects\\{kind=\"%s\"[^}]*} %s"
                                .formatted(kind, Pattern.quote(number)));
            }
        });
    }

    /** Asserts that there is an Event about the object. Events about objects without a namespace are in {@code default}. */
    private void assertTold(HasMetadata object) {
        String namespace = object.getMetadata().getNamespace();
        Awaitility.await()
                .untilAsserted(() -> assertThat(client.v1()
                                .events()
                                .inNamespace(namespace == null ? "default" : namespace)
                                .list()
                                .getItems())
                        .as("events about %s", title(object))
                        .anySatisfy(event -> {
                            assertThat(event.getInvolvedObject().getUid())
                                    .isEqualTo(object.getMetadata().getUid());
                            assertThat(event.getReason()).isEqualTo("UnreadableFields");
                            assertThat(event.getMessage())
                                    .contains("field "
                                            + object.getMetadata().getLabels().get(ObjectRewrite.LABEL)
                                            + " cannot be read: it is");
                        }));
    }

    private static List<String> logged() {
        return LOGGED.matcher(operator.log())
                .results()
                .map(line -> line.group(1))
                .toList();
    }

    private static String title(HasMetadata object) {
        String namespace = object.getMetadata().getNamespace();
        return object.getKind() + " " + (namespace == null ? "" : namespace + "/")
                + object.getMetadata().getName() + ", version";
    }
}
