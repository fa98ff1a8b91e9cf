package dev.fakegpu.cli;

import dev.fakegpu.cli.input.InvalidInputException;
import dev.fakegpu.cluster.pending.UnknownObjectException;
import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.cluster.snapshot.ClusterSnapshot;
import dev.fakegpu.cluster.snapshot.ObjectKind;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.hardware.catalog.Catalog;
import dev.fakegpu.hardware.inventory.InventoryPlanner;
import dev.fakegpu.kube.watch.PodClaims;
import dev.fakegpu.operator.prepare.NodeInventory;
import dev.fakegpu.operator.prepare.plugin.MetadataFile;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code fakegpu metadata}: prints what the containers of a pod are told about their devices. */
@Command(
        name = "metadata",
        mixinStandardHelpOptions = true,
        description = {
            "Print the files with metadata of devices (KEP-5304) that the containers of a pod get, byte for byte; on a simulated node,"
                    + " those that the kubelet plugin would write.",
            "Reads the cluster once and writes nothing. Needs FakeGpus: files of other drivers' devices are not known."
        },
        exitCodeList = {
            "0:success",
            "1:the input is invalid, the pod does not exist, the cluster cannot be read, or the caller may not list what"
                    + " the answer is about",
            "2:the command line is invalid",
            "3:at least one claim has no files, and standard error says why"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  fakegpu metadata train",
            "  fakegpu metadata rank-0 -n team-a --from src/test/resources/golden/cli/metadata/cluster.yaml -o yaml"
        })
final class MetadataCommand implements Callable<Integer> {

    private static final int NO_FILES = 3;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Parameters(paramLabel = "POD", description = "Name of the pod; also as pod/NAME.")
    private String pod = "";

    @Mixin
    private final ClusterSource source = new ClusterSource();

    @Mixin
    private final MixinsOption mixins = new MixinsOption();

    @Mixin
    private final AnswerOutput output = new AnswerOutput();

    /**
     * A file, as programs read it.
     *
     * @param containers those that have it
     */
    private record Shown(
            String path, List<String> containers, String claim, String request, String driver, String content) {}

    @Override
    public Integer call() {
        var err = spec.commandLine().getErr();
        ClusterSource.Source cluster = source.whole(err, mixins.gate());
        Pod found = find(cluster.snapshot().objects(), cluster.namespace(), pod.replaceFirst("^pods?/", ""));
        if (!PodClaims.names(found).isEmpty()) {
            requireAll(cluster.snapshot().objects(), cluster.namespace());
        }
        var problems = new ArrayList<String>();
        List<Shown> files = files(found, cluster.snapshot(), problems);
        output.print(
                spec,
                new AnswerOutput.Answers(
                        () -> files.isEmpty()
                                ? List.of("pod %s gets no metadata of devices"
                                        .formatted(found.getMetadata().getName()))
                                : files.stream().flatMap(MetadataCommand::text).toList(),
                        () -> Map.of("files", files),
                        () -> files.stream().map(Shown::path).toList()));
        problems.forEach(problem -> err.println("fakegpu: " + problem));
        err.flush();
        return problems.isEmpty() ? CommandLine.ExitCode.OK : NO_FILES;
    }

    private static Pod find(ClusterObjects objects, String namespace, String name) {
        return objects.pod(namespace, name)
                .orElseThrow(() -> new InvalidInputException(
                        String.valueOf(UnknownObjectException.of(objects, ObjectKind.PODS, "pod", namespace, name)
                                .getMessage())));
    }

    /** @throws InvalidInputException if objects may be missing only because the caller may not list them */
    static void requireAll(ClusterObjects objects, String namespace) {
        List<String> unseen = Stream.of(ObjectKind.CLAIMS, ObjectKind.SLICES, ObjectKind.FAKE_GPUS)
                .filter(kind -> !(kind.isNamespaced() ? objects.isComplete(kind, namespace) : objects.isComplete(kind)))
                .map(ObjectKind::resource)
                .toList();
        if (!unseen.isEmpty()) {
            throw new InvalidInputException(
                    "which devices the pod has is not known: you may not list " + String.join(" or ", unseen));
        }
    }

    private static List<Shown> files(Pod pod, ClusterSnapshot snapshot, List<String> problems) {
        PodClaims claims = snapshot.podClaims(pod);
        problems.addAll(claims.waitingFor());
        String node = pod.getSpec().getNodeName();
        if (node == null && !claims.claims().isEmpty()) {
            problems.add(
                    "pod %s is not bound to a node".formatted(pod.getMetadata().getName()));
        }
        if (node == null) {
            return List.of();
        }
        NodeInventory inventory = inventory(node, snapshot);
        var files = new ArrayList<Shown>();
        claims.claims().forEach(claim -> {
            var ofClaim = MetadataFile.of(claim, inventory);
            problems.addAll(ofClaim.problems());
            ofClaim.files().forEach(file -> files.add(shown(pod, file)));
        });
        return files;
    }

    private static NodeInventory inventory(String node, ClusterSnapshot snapshot) {
        var read = new IdentityHashMap<ResourceSlice, Slice>();
        snapshot.slices().forEach(slice -> read.put(slice.stored(), slice.withGroups()));
        return new NodeInventory(
                new InventoryPlanner(Catalog.builtIn()),
                node,
                snapshot.slices().stream()
                        .map(ClusterSnapshot.SnapshotSlice::stored)
                        .toList(),
                slice -> Objects.requireNonNull(read.get(slice)),
                snapshot.objects()::fakeGpu);
    }

    private static Shown shown(Pod pod, MetadataFile file) {
        List<String> containers = Stream.concat(
                        pod.getSpec().getInitContainers().stream(), pod.getSpec().getContainers().stream())
                .filter(container -> uses(pod, container, file))
                .map(Container::getName)
                .toList();
        return new Shown(file.path(), containers, file.claim(), file.request(), file.driver(), file.content());
    }

    private static boolean uses(Pod pod, Container container, MetadataFile file) {
        var extended = pod.getStatus() == null ? null : pod.getStatus().getExtendedResourceClaimStatus();
        if (extended != null && file.claim().equals(extended.getResourceClaimName())) {
            return extended.getRequestMappings().stream()
                    .anyMatch(mapping -> container.getName().equals(mapping.getContainerName())
                            && file.request().equals(mapping.getRequestName()));
        }
        return container.getResources() != null
                && container.getResources().getClaims().stream()
                        .filter(use ->
                                use.getRequest() == null || use.getRequest().equals(file.request()))
                        .anyMatch(use -> PodClaims.claimName(pod, use.getName())
                                .filter(file.claim()::equals)
                                .isPresent());
    }

    private static Stream<String> text(Shown file) {
        String containers =
                file.containers().isEmpty() ? "no container uses it" : "in " + String.join(", ", file.containers());
        return Stream.concat(
                Stream.of("==> %s (%s) <==".formatted(file.path(), containers)),
                file.content().lines());
    }
}
