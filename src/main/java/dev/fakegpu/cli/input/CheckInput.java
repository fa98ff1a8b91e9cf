package dev.fakegpu.cli.input;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.api.Labels;
import dev.fakegpu.cluster.check.CheckedClass;
import dev.fakegpu.cluster.check.CheckedObject;
import dev.fakegpu.cluster.check.CheckedSlice;
import dev.fakegpu.cluster.check.CheckedSlice.Owner;
import dev.fakegpu.cluster.check.CheckedSlice.Problem;
import dev.fakegpu.cluster.check.Input;
import dev.fakegpu.cluster.check.Input.DriverNode;
import dev.fakegpu.cluster.check.Source;
import dev.fakegpu.cluster.fit.AdvertisedTwice;
import dev.fakegpu.cluster.validation.ApiValidation;
import dev.fakegpu.cluster.validation.FieldError;
import dev.fakegpu.cluster.validation.ManifestValidation;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.mixin.MixedSlice;
import dev.fakegpu.dra.mixin.MixinsGate;
import dev.fakegpu.hardware.slices.MixinText;
import dev.fakegpu.hardware.slices.PoolLocations;
import dev.fakegpu.hardware.slices.ServedFields;
import dev.fakegpu.hardware.slices.SliceRenderer;
import dev.fakegpu.kube.manifest.KnownKind;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import dev.fakegpu.kube.manifest.ManifestFields;
import dev.fakegpu.simulate.memory.ServerGates;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads the input of {@code fakegpu check}: ResourceSlices, the slices of FakeGpus, DeviceClasses, and objects that users create. */
public final class CheckInput {

    /** ConfigMaps without models have nothing to do with devices. */
    private static final Set<KnownKind> CHECKED = EnumSet.complementOf(EnumSet.of(KnownKind.ConfigMap));

    /** Matches a problem of {@link ManifestFields}: the path before a colon or a space. */
    private static final Pattern PROBLEM = Pattern.compile("(\\S+?):? (.*)", Pattern.DOTALL);

    private static final Owner FAKE_GPU = new Owner(true, "");

    private static final Set<String> AMOUNTS =
            Set.of("capacityMultiplier", "deviceMultiplier", "perPod", "perContainer");

    private final SliceRenderer renderer;
    private final KubernetesVersion version;
    private final List<CheckedSlice> slices = new ArrayList<>();

    /** Slices with mixins, by their index in {@link #slices}. */
    private final Map<Integer, MixedSlice> mixed = new LinkedHashMap<>();

    private final List<CheckedClass> classes = new ArrayList<>();
    private final List<CheckedObject> objects = new ArrayList<>();
    private final Map<DriverNode, String> fakeGpus = new HashMap<>();
    private final Map<String, Map<String, BigDecimal>> nodes = new HashMap<>();

    private CheckInput(SliceRenderer renderer, KubernetesVersion version) {
        this.renderer = renderer;
        this.version = version;
    }

    /**
     * @param version that of the API server
     * @param skipped receives objects of other kinds
     * @throws InvalidInputException if an object cannot be read or the operator would refuse a FakeGpu; with the messages about all objects
     */
    public static Input of(List<Manifest> manifests, KubernetesVersion version, Consumer<Manifest> skipped) {
        SliceRenderer renderer = CatalogFiles.renderer(manifests);
        var input = new CheckInput(renderer, version);
        try {
            InvalidInputException.collect(manifests, manifest -> input.add(manifest, skipped));
        } catch (InvalidInputException e) {
            InvalidInputException.collect(manifests, manifest -> {
                new CheckInput(renderer, version).add(manifest, other -> {});
                refuse(manifest, version);
            });
            throw e;
        }
        input.addLeftOut();
        return new Input(input.slices, input.classes, input.objects, input.fakeGpus, input.nodes);
    }

    /** Refuses an object for what is a finding otherwise: without the others, there are no findings. */
    private static void refuse(Manifest manifest, KubernetesVersion version) {
        KnownKind.of(manifest.json())
                .filter(kind -> !FakeGpus.isOne(manifest) && !MixinSlices.areIn(manifest))
                .ifPresent(kind -> manifest.refuseInvalid(kind, version));
    }

    private void add(Manifest manifest, Consumer<Manifest> skipped) {
        if (ResourceSlices.isOne(manifest)) {
            slices.add(slice(manifest));
        } else if (manifest.isA(ResourceSlices.GROUP, "DeviceClass")) {
            classes.add(deviceClass(manifest));
        } else if (FakeGpus.isOne(manifest)) {
            addFakeGpu(manifest);
        } else if (!CatalogFiles.isOne(manifest)) {
            manifest.refuseMisspelled(CHECKED);
            KnownKind.of(manifest.json())
                    .filter(CHECKED::contains)
                    .ifPresentOrElse(kind -> addObject(manifest, kind), () -> skipped.accept(manifest));
        }
    }

    private void addObject(Manifest manifest, KnownKind kind) {
        CheckedObject object = object(manifest, kind);
        objects.add(object);
        if (kind == KnownKind.Node && object.unreadable().isEmpty()) {
            Node node = Serialization.jsonMapper().convertValue(manifest.json(), Node.class);
            nodes.put(manifest.name(), AdvertisedTwice.allocatable(node));
        }
    }

    private CheckedObject object(Manifest manifest, KnownKind kind) {
        ManifestValidation checked = ManifestValidation.of(manifest.json(), kind.type(), version);
        return new CheckedObject(
                source(manifest),
                kind.name(),
                manifest.json().toString(),
                Stream.concat(manifest.unserved(version).stream(), checked.unreadable().stream())
                        .map(CheckInput::problem)
                        .toList(),
                checked.errors());
    }

    private static FieldError problem(String sentence) {
        Matcher parts = PROBLEM.matcher(sentence);
        return parts.matches() ? new FieldError(parts.group(1), parts.group(2)) : new FieldError("", sentence);
    }

    /** Adds what schedulers would omit from slices that have mixins or whose counter sets have some. */
    private void addLeftOut() {
        Iterator<MixinsGate.Visible> visible =
                MixinsGate.OFF.visible(List.copyOf(mixed.values())).iterator();
        mixed.keySet().forEach(index -> {
            List<Problem> problems = MixinText.leftOut(visible.next()).stream()
                    .map(sentence ->
                            new Problem(Problem.Kind.LEFT_OUT, "spec", "with ResourceSliceMixins off, " + sentence))
                    .toList();
            slices.set(index, slices.get(index).with(problems));
        });
    }

    private CheckedSlice slice(Manifest manifest) {
        var problems = new ArrayList<Problem>();
        ObjectNode copy = manifest.json().deepCopy();
        replaceInvalidQuantities(copy.path("spec"), "spec", problems);
        var readable = new Manifest(manifest.source(), copy);
        Slice slice;
        List<FieldError> errors;
        MixedSlice written = MixinSlices.read(readable);
        mixed.put(slices.size(), written);
        if (MixinSlices.areIn(manifest)) {
            MixinSlices.Flat flat = MixinSlices.withProblems(readable);
            flat.report()
                    .problems()
                    .forEach(problem -> problems.add(new Problem(Problem.Kind.MIXIN, "spec.mixins", problem)));
            slice = flat.slice();
            boolean isFlat = flat.report().problems().isEmpty();
            errors = isFlat ? errors(MixinSlices.resolved(manifest.json(), slice)) : List.of();
        } else {
            slice = written.own();
            errors = errors(manifest.json());
        }
        newerFields(manifest.json())
                .forEach(
                        problem -> problems.add(new Problem(Problem.Kind.NEWER_FIELD, problem.path(), problem.what())));
        return new CheckedSlice(
                source(manifest), owner(manifest, slice), manifest.json().path("spec"), slice, problems, errors);
    }

    /** The fields of a slice that only newer API servers have. */
    private List<FieldError> newerFields(JsonNode slice) {
        List<String> known = ManifestFields.problems(slice, ResourceSlice.class, "");
        return ManifestFields.readable(slice, ResourceSlice.class, "", version).problems().stream()
                .filter(problem -> !known.contains(problem))
                .map(CheckInput::problem)
                .toList();
    }

    /** Why the API server refuses a slice without fields that it does not have, which it drops. */
    private List<FieldError> errors(JsonNode slice) {
        return ApiValidation.errors(ManifestFields.withoutNewer(slice, ResourceSlice.class, version), version);
    }

    /** The slices of FakeGpus may lack their owners, which are removed from manifests that are to be applied elsewhere. */
    private Owner owner(Manifest manifest, Slice slice) {
        JsonNode metadata = manifest.json().path("metadata");
        HasMetadata object = new ResourceSlice();
        object.setMetadata(
                metadata.isObject()
                        ? Serialization.jsonMapper().convertValue(metadata, ObjectMeta.class)
                        : new ObjectMeta());
        Optional<String> fakeGpu = FakeGpuOwner.name(object)
                .or(() -> Optional.ofNullable(object.getMetadata().getLabels())
                        .map(labels -> labels.get(Labels.FAKEGPU)));
        fakeGpu.ifPresent(name -> serves(name, slice.pool().driver(), slice.nodes()));
        return fakeGpu.isPresent() ? FAKE_GPU : new Owner(false, FakeGpuOwner.others(object));
    }

    private void serves(String fakeGpu, String driver, NodeSelection nodes) {
        if (nodes instanceof NodeSelection.NodeName node) {
            fakeGpus.merge(
                    new DriverNode(driver, node.name()),
                    fakeGpu,
                    BinaryOperator.minBy(Comparator.<String>naturalOrder()));
        }
    }

    /** All values below the fields {@code capacity} and {@code counters}, and some values below other fields, are quantities. */
    private static void replaceInvalidQuantities(JsonNode node, String path, List<Problem> problems) {
        if (node instanceof ObjectNode object) {
            object.properties().forEach(entry -> {
                String at = path + "." + entry.getKey();
                if (entry.getKey().equals("capacity") || entry.getKey().equals("counters")) {
                    quantities(entry.getValue(), at, problems);
                } else if (AMOUNTS.contains(entry.getKey()) && isInvalid(entry.getValue(), at, problems)) {
                    entry.setValue(object.textNode("0"));
                } else {
                    replaceInvalidQuantities(entry.getValue(), at, problems);
                }
            });
        } else {
            for (int i = 0; i < node.size(); i++) {
                replaceInvalidQuantities(node.get(i), path + "[" + i + "]", problems);
            }
        }
    }

    private static void quantities(JsonNode node, String path, List<Problem> problems) {
        if (node instanceof ObjectNode object) {
            object.properties().forEach(entry -> {
                String at = path + "." + entry.getKey();
                quantities(entry.getValue(), at, problems);
                if (isInvalid(entry.getValue(), at, problems)) {
                    entry.setValue(object.textNode("0"));
                }
            });
        } else if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                if (isInvalid(array.get(i), path + "[" + i + "]", problems)) {
                    array.set(i, "0");
                }
            }
        }
    }

    private static boolean isInvalid(JsonNode value, String path, List<Problem> problems) {
        if (value.isContainerNode() || value.isNull()) {
            return false;
        }
        try {
            Quantity.parse(value.asText());
            return false;
        } catch (IllegalArgumentException e) {
            problems.add(new Problem(Problem.Kind.QUANTITY, path, String.valueOf(e.getMessage())));
            return true;
        }
    }

    private CheckedClass deviceClass(Manifest manifest) {
        return new CheckedClass(
                source(manifest),
                manifest.name(),
                manifest.json().path("spec"),
                ApiValidation.errors(manifest.json(), version));
    }

    /** The slices of the first node: all nodes of a FakeGpu have the same devices. */
    private void addFakeGpu(Manifest manifest) {
        FakeGpus.Named fakeGpu = FakeGpus.read(manifest, renderer);
        PoolLocations locations =
                PoolLocations.of(fakeGpu.name(), fakeGpu.spec().nodes(), List.of());
        if (locations.assumption() == null) {
            locations
                    .nodes()
                    .forEach(nodes -> serves(fakeGpu.name(), fakeGpu.spec().driver(), nodes));
        }
        ServedFields served = ServerGates.of(version).published();
        renderer.slices(fakeGpu.name(), fakeGpu.spec(), locations.first()).stream()
                .map(served::strip)
                .forEach(slice -> {
                    var source = new Source(
                            manifest.source(),
                            "FakeGpu " + fakeGpu.name() + ", ResourceSlice " + slice.name(),
                            path -> manifest.lines().line("")); // the slice itself is not in a file
                    JsonNode json = ResourceSlices.json(slice);
                    slices.add(new CheckedSlice(source, FAKE_GPU, json.path("spec"), slice, List.of(), errors(json)));
                });
    }

    private static Source source(Manifest manifest) {
        String name = manifest.name().isEmpty()
                ? manifest.json().path("metadata").path("generateName").asText("")
                : manifest.name();
        return new Source(manifest.source(), manifest.kind() + (name.isEmpty() ? "" : " " + name), manifest.lines());
    }
}
