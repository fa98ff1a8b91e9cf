package dev.fakegpu.e2e.bench;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.fakegpu.cluster.fit.PodDefaults;
import dev.fakegpu.cluster.quota.QuotaAdmission;
import dev.fakegpu.cluster.quota.QuotaUsages;
import dev.fakegpu.testing.ControlPlane;
import dev.fakegpu.testing.ControlPlaneOptions;
import dev.fakegpu.testing.Patience;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;

/**
 * Compares which random pods and claims are forbidden by quotas with a real API server, which counts admitted objects. Writes a row of a
 * table to standard output, and differences to standard error.
 *
 * <p>Arguments: the number of objects, and the seed.
 */
final class QuotaBench {

    private static final int UNPROCESSABLE = 422;
    private static final int OBJECTS_PER_NAMESPACE = 40;

    private static final List<DeviceClass> CLASSES = List.of(
            read(
                    "{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: gpu}, spec: {extendedResourceName: example.com/gpu}}",
                    DeviceClass.class),
            read(
                    "{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: nic}, spec: {}}",
                    DeviceClass.class));

    private static final QuotaUsages USAGES = new QuotaUsages(() -> Instant.EPOCH);

    private final KubernetesClient client;
    private final RandomQuotaObjects random;
    private int objects;
    private int refused;
    private int otherVerdict;
    private int otherWords;

    private QuotaBench(KubernetesClient client, RandomQuotaObjects random) {
        this.client = client;
        this.random = random;
    }

    public static void main(String... arguments) {
        int number = Integer.parseInt(arguments[0]);
        long seed = Long.parseLong(arguments[1]);
        try (var controlPlane = ControlPlane.start(ControlPlaneOptions.apiServerOnly())) {
            var bench = new QuotaBench(controlPlane.client(), new RandomQuotaObjects(seed));
            bench.run((number + OBJECTS_PER_NAMESPACE - 1) / OBJECTS_PER_NAMESPACE);
            System.out.printf(
                    Locale.ROOT,
                    "| %d | %d | %d | %d | %d |%n",
                    seed,
                    bench.objects,
                    bench.refused,
                    bench.otherVerdict,
                    bench.otherWords);
        }
        System.exit(0); // otherwise the threads of clients keep the process alive
    }

    private void run(int namespaces) {
        CLASSES.forEach(each -> client.resource(each).create());
        client.resource(read(
                        "{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: high}, value: 1000}",
                        PriorityClass.class))
                .create();
        Map<String, List<ResourceQuota>> quotas = new HashMap<>();
        for (int i = 0; i < namespaces; i++) {
            List<ResourceQuota> some = random.quotas();
            quotas.put("quota-" + i, some);
            create("quota-" + i, some);
        }
        awaitQuotas();
        quotas.forEach(this::fill);
    }

    /** Creates quotas with the initial status of their controller: nothing is used. */
    private void create(String namespace, List<ResourceQuota> quotas) {
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();
        for (ResourceQuota quota : quotas) {
            quota.getMetadata().setNamespace(namespace);
            ResourceQuota created = client.resource(quota).create();
            client.resource(created.edit()
                            .withNewStatus()
                            .withHard(created.getSpec().getHard())
                            .withUsed(created.getSpec().getHard().keySet().stream()
                                    .collect(Collectors.toMap(each -> each, each -> new Quantity("0"))))
                            .endStatus()
                            .build())
                    .updateStatus();
        }
    }

    /** The API server reads quotas and DeviceClasses from watches, in the order in which they were written. */
    private void awaitQuotas() {
        create("last", List.of(RandomQuotaObjects.quota("last", "{requests.example.com/gpu: 0}", "")));
        ResourceClaim claim = RandomQuotaObjects.claim("probe", "{name: a, exactly: {deviceClassName: gpu}}");
        Awaitility.await()
                .atMost(Patience.LIMIT)
                .until(() -> theirs("last", claim, true)
                        .filter(each -> !each.isEmpty())
                        .isPresent());
    }

    private void fill(String namespace, List<ResourceQuota> quotas) {
        List<Pod> pods = new ArrayList<>();
        List<ResourceClaim> claims = new ArrayList<>();
        for (int i = 0; i < OBJECTS_PER_NAMESPACE; i++) {
            HasMetadata object = random.object("object-" + i);
            object.getMetadata().setNamespace(namespace);
            Optional<String> theirs = theirs(namespace, object, false);
            if (object instanceof Pod pod) {
                PodDefaults.set(pod);
            }
            Set<String> ours = new TreeSet<>();
            quotas.forEach(
                    quota -> refusal(List.of(quota), pods, claims, object).ifPresent(ours::add));
            boolean isRefused = refusal(quotas, pods, claims, object).isPresent();
            theirs.ifPresent(sentence -> compare(object, isRefused, ours, sentence));
            boolean isStored = theirs.filter(String::isEmpty).isPresent();
            if (isStored && object instanceof Pod pod) {
                pods.add(pod);
            } else if (isStored) {
                claims.add((ResourceClaim) object);
            }
        }
    }

    private static Optional<String> refusal(
            List<ResourceQuota> quotas, List<Pod> pods, List<ResourceClaim> claims, HasMetadata object) {
        var admission = QuotaAdmission.in(object.getMetadata().getNamespace(), quotas, pods, claims, CLASSES, USAGES);
        return object instanceof Pod pod ? admission.refusal(pod) : admission.refusal((ResourceClaim) object);
    }

    /** If several quotas are exceeded, it is random which one refuses. */
    private void compare(HasMetadata object, boolean isRefused, Set<String> ours, String theirs) {
        objects++;
        refused += theirs.isEmpty() ? 0 : 1;
        boolean hasOtherVerdict = isRefused == theirs.isEmpty();
        boolean hasOtherWords = !theirs.isEmpty() && isRefused && !ours.contains(theirs);
        otherVerdict += hasOtherVerdict ? 1 : 0;
        otherWords += hasOtherWords ? 1 : 0;
        if (hasOtherVerdict || hasOtherWords) {
            System.err.println(client.getKubernetesSerialization().asJson(object) + "\n    API server: " + theirs
                    + "\n    here: " + ours);
        }
    }

    /** The answer of the API server, which is an empty text if it accepts the object; empty if the object is invalid. */
    private Optional<String> theirs(String namespace, HasMetadata object, boolean isDryRun) {
        try {
            var resource = client.resource(object).inNamespace(namespace);
            if (isDryRun) {
                resource.dryRun(true).create();
            } else {
                resource.create();
            }
            return Optional.of("");
        } catch (KubernetesClientException e) {
            return switch (e.getCode()) {
                case UNPROCESSABLE -> Optional.empty();
                case HttpURLConnection.HTTP_FORBIDDEN ->
                    Optional.of(e.getStatus().getMessage());
                default -> throw e;
            };
        }
    }

    private static <T> T read(String yaml, Class<T> type) {
        try {
            return new YAMLMapper().readValue(yaml, type);
        } catch (IOException e) {
            throw new IllegalArgumentException(yaml, e);
        }
    }
}
