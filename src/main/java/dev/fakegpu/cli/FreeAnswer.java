package dev.fakegpu.cli;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.fakegpu.cli.input.InvalidInputException;
import dev.fakegpu.cli.input.Manifests;
import dev.fakegpu.cli.input.StoredObjects;
import dev.fakegpu.cluster.fit.NodeFit;
import dev.fakegpu.cluster.fit.SchedulableNode;
import dev.fakegpu.cluster.snapshot.Assumptions;
import dev.fakegpu.cluster.snapshot.AssumptionsJson;
import dev.fakegpu.cluster.snapshot.AssumptionsText;
import dev.fakegpu.cluster.snapshot.ClusterSnapshot;
import dev.fakegpu.cluster.snapshot.GateSources;
import dev.fakegpu.cluster.snapshot.ObjectKind;
import dev.fakegpu.cluster.snapshot.Scheduler;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.DeviceRequest;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.mixin.MixinsGate;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.engine.allocate.AllocationContext;
import dev.fakegpu.engine.allocate.Allocator;
import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.allocate.SearchLimit;
import dev.fakegpu.engine.cel.Selectors;
import dev.fakegpu.engine.explain.Explainer;
import dev.fakegpu.engine.explain.finding.Explanation;
import dev.fakegpu.engine.explain.finding.NameScope;
import dev.fakegpu.engine.explain.finding.Reason;
import dev.fakegpu.engine.headroom.Headroom;
import dev.fakegpu.engine.headroom.PartitionTypeAttribute;
import dev.fakegpu.engine.headroom.PoolStatusEstimate;
import dev.fakegpu.engine.headroom.Room;
import dev.fakegpu.engine.headroom.RoomJson;
import dev.fakegpu.engine.headroom.RoomText;
import dev.fakegpu.util.Suggestion;
import dev.fakegpu.util.WrappedText;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Answers {@code who --free}: how many more claims fit, by scheduler. */
final class FreeAnswer {

    /** The placeholder class for devices of a partition type, which have no class of their own. */
    private static final String CLASS_OF_TYPE = "fakegpu-who-partition-type";

    private static final long MAX_STEPS = 50_000;

    private final ClusterSnapshot snapshot;
    private final GateSources gate;
    private final String name;
    private final Selectors selectors = Selectors.shared();
    private final Map<String, DeviceClass> classes;

    FreeAnswer(ClusterSnapshot snapshot, GateSources gate, String name) {
        this.snapshot = snapshot;
        this.gate = gate;
        this.name = name;
        classes = new HashMap<>(snapshot.classes());
    }

    /**
     * The answer as lines and as JSON.
     *
     * @param anyDevice whether there are such devices, whether or not they are in use
     */
    record Result(List<String> text, Json json, boolean anyRoom, boolean anyDevice) {}

    /** The counts, and the assumptions about the schedulers that allocate the devices. */
    record Json(@JsonUnwrapped RoomJson rooms, List<AssumptionsJson> assumed) {}

    /** The names that can be given: those of classes and of partition types. */
    static Set<String> names(ClusterSnapshot snapshot, GateSources gate) {
        var names = new TreeSet<>(snapshot.classes().keySet());
        names.addAll(new FreeAnswer(snapshot, gate, "").types());
        return names;
    }

    /** One line for each class and partition type that has devices. */
    static List<String> summary(ClusterSnapshot snapshot, GateSources gate) {
        return names(snapshot, gate).stream()
                .map(name -> new FreeAnswer(snapshot, gate, name).ofName())
                .filter(Result::anyDevice)
                .map(result -> result.text().get(0))
                .toList();
    }

    Result ofName() {
        if (classes.containsKey(name)) {
            return answer("claims for one device of class \"" + name + "\"", List.of(claim(name)), Optional.empty());
        }
        String selector = typeSelector();
        classes.put(CLASS_OF_TYPE, new DeviceClass(CLASS_OF_TYPE, List.of(selector), List.of()));
        var estimate = PoolStatusEstimate.of(
                newest(),
                name,
                device ->
                        snapshot.allocated().stream().anyMatch(held -> held.id().equals(device)));
        return answer("claims for one device of type \"" + name + "\"", List.of(claim(CLASS_OF_TYPE)), estimate);
    }

    private static Claim claim(String className) {
        return new Claim(
                new ClaimRef("", "claim", "claim"),
                List.of(DeviceRequest.exactly("device", className, List.of(), 1, List.of())),
                List.of(),
                List.of());
    }

    Result ofFiles(List<String> files, String namespace) {
        List<Claim> claims = StoredObjects.read(Manifests.of(files), namespace, MixinsGate.OFF, note -> {}).stream()
                .flatMap(FreeAnswer::claim)
                .map(ClaimReader::read)
                .toList();
        if (claims.isEmpty()) {
            throw new InvalidInputException("there is no ResourceClaim or ResourceClaimTemplate in the files");
        }
        requireClasses("which devices the claims are about");
        String what = claims.size() == 1
                ? "copies of claim \"" + claims.get(0).ref().name() + "\""
                : "copies of the " + claims.size() + " claims together";
        return answer(what, claims, Optional.empty());
    }

    private static Stream<ResourceClaim> claim(HasMetadata object) {
        if (object instanceof ResourceClaimTemplate template) {
            return Stream.of(new ResourceClaimBuilder()
                    .withMetadata(template.getMetadata())
                    .withSpec(template.getSpec().getSpec())
                    .build());
        }
        return object instanceof ResourceClaim claim ? Stream.of(claim) : Stream.empty();
    }

    private Result answer(String what, List<Claim> claims, Optional<PoolStatusEstimate> estimate) {
        var text = new ArrayList<String>();
        var rooms = new LinkedHashMap<String, Room>();
        var relevant = new ArrayList<Assumptions>();
        Map<String, String> problems = nodeProblems();
        for (Scheduler scheduler : Scheduler.values()) {
            Assumptions assumed = Assumptions.of(snapshot, scheduler, gate);
            AllocationContext context = withClasses(snapshot.context(assumed, selectors));
            List<NodeInfo> nodes = usableNodes(assumed, problems.keySet());
            RoomOnNodes counted =
                    RoomOnNodes.of(room(scheduler, context, nodes, claims), snapshot, new Allocator(context), claims);
            Room room = counted.room();
            if (room.nodes().stream().anyMatch(node -> node.selected() > 0)) {
                rooms.put(title(scheduler), room);
                relevant.add(assumed);
                text.addAll(RoomText.of(what, room, problems));
                counted.limits()
                        .forEach((node, problem) -> text.addAll(WrappedText.lines(
                                0, "no more on " + node + ", since such devices take of the node: " + problem)));
                if (room.atOnce().atMost() == 0 && counted.limits().isEmpty()) {
                    text.addAll(WrappedText.lines(
                            0,
                            worded(new Explainer(context).explain(nodes, claims).sentence(names()))));
                }
            }
        }
        boolean anyDevice = !rooms.isEmpty();
        if (rooms.isEmpty()) {
            relevant.addAll(onUnusableNodes(claims));
            anyDevice = !relevant.isEmpty();
            text.addAll(
                    WrappedText.lines(0, "0 more " + what + " fit: " + noneFits(relevant, claims, problems.keySet())));
            text.addAll(RoomText.notCounted(problems));
        }
        estimate.ifPresent(answer -> text.addAll(RoomText.of(answer, rooms.values())));
        text.addAll(AssumptionsText.of(relevant));
        boolean anyRoom = rooms.values().stream().anyMatch(room -> room.atOnce().atLeast() > 0);
        var json = new Json(
                RoomJson.of(rooms, problems, estimate),
                relevant.stream().map(AssumptionsJson::of).toList());
        return new Result(text, json, anyRoom, anyDevice);
    }

    /** kube-scheduler tries all nodes before it chooses one, and an error on any node ends its attempt. */
    private static Room room(Scheduler scheduler, AllocationContext context, List<NodeInfo> nodes, List<Claim> claims) {
        Room room = new Headroom(context).of(nodes, claims);
        var allocator = new Allocator(context);
        boolean isOver = scheduler == Scheduler.KUBE_SCHEDULER
                && nodes.stream()
                        .anyMatch(node -> allocator
                                .allocate(node, claims, SearchLimit.steps(MAX_STEPS))
                                .isFatal());
        return isOver ? room.withError() : room;
    }

    private NameScope names() {
        return NameScope.all().with(snapshot.users());
    }

    private static String title(Scheduler scheduler) {
        return scheduler == Scheduler.COMPANION ? "companion" : "kube-scheduler";
    }

    private AllocationContext withClasses(AllocationContext context) {
        return new AllocationContext(
                context.slices(), Map.copyOf(classes), context.allocated(), context.selectors(), context.options());
    }

    /** Assumptions about the schedulers of such devices, if no node with such devices accepts more pods. */
    private List<Assumptions> onUnusableNodes(List<Claim> claims) {
        return Stream.of(Scheduler.values())
                .map(scheduler -> Assumptions.of(snapshot, scheduler, gate))
                .filter(assumed -> new Headroom(withClasses(snapshot.context(assumed, selectors)))
                        .of(usableNodes(assumed, Set.of()), claims).nodes().stream()
                                .anyMatch(node -> node.selected() > 0))
                .toList();
    }

    /** @param unusable the result of {@link #onUnusableNodes}; other assumptions are added */
    private String noneFits(List<Assumptions> unusable, List<Claim> claims, Set<String> problems) {
        Assumptions assumed =
                unusable.isEmpty() ? Assumptions.of(snapshot, Scheduler.KUBE_SCHEDULER, gate) : unusable.get(0);
        Explanation found = new Explainer(withClasses(snapshot.context(assumed, selectors)))
                .explain(usableNodes(assumed, problems), claims);
        if (!unusable.isEmpty() && found.reason() != Reason.PoolIncomplete) {
            return "the nodes that have such devices take no more pods";
        }
        if (unusable.isEmpty()) {
            unusable.add(assumed);
        }
        return worded(found.sentence(names()));
    }

    /** Why nodes accept no more pods, by node. */
    private Map<String, String> nodeProblems() {
        var problems = new LinkedHashMap<String, String>();
        snapshot.nodes()
                .forEach(node -> NodeFit.problem(node.stored(), null)
                        .ifPresent(problem -> problems.put(
                                node.name(), NodeFit.isCordoned(node.stored()) ? "cordoned" : ofOneNode(problem))));
        return problems;
    }

    /** @param problem in kube-scheduler's words, which count nodes: {@code node(s) were not ready} */
    private static String ofOneNode(String problem) {
        return problem.replaceFirst("^node\\(s\\) (were )?", "");
    }

    /** The existing nodes or, if the caller may not read nodes, those named in slices. */
    private List<NodeInfo> usableNodes(Assumptions assumed, Set<String> unusable) {
        List<NodeInfo> known = snapshot.nodes().stream()
                .map(SchedulableNode::devices)
                .filter(node -> !unusable.contains(node.name()))
                .toList();
        return snapshot.nodes().isEmpty()
                ? snapshot.slices(assumed.scheduler(), assumed.gate()).stream()
                        .flatMap(slice -> slice.nodes() instanceof NodeSelection.NodeName only
                                ? Stream.of(only.name())
                                : Stream.empty())
                        .distinct()
                        .sorted()
                        .map(node -> new NodeInfo(node, Map.of()))
                        .toList()
                : known;
    }

    private List<Slice> newest() {
        Map<Object, Long> generations = new HashMap<>();
        snapshot.slices()
                .forEach(slice -> generations.merge(
                        slice.asStored().pool(), slice.asStored().generation(), Math::max));
        return snapshot.slices().stream()
                .map(ClusterSnapshot.SnapshotSlice::asStored)
                .filter(slice -> slice.generation() == generations.getOrDefault(slice.pool(), 0L))
                .toList();
    }

    /** A selector for devices of the type, by the attribute of each driver that has it. */
    private String typeSelector() {
        Set<String> alternatives = new LinkedHashSet<>();
        for (Slice slice : newest()) {
            if (types(slice).anyMatch(name::equals)) {
                alternatives.add(selector(slice.pool().driver(), PartitionTypeAttribute.of(slice)));
            }
        }
        if (alternatives.isEmpty()) {
            requireClasses("whether there is a DeviceClass \"" + name + "\"");
            Set<String> types = types();
            throw new InvalidInputException(
                    "there is no DeviceClass and no partition type \"%s\"%s; classes: %s; types: %s%s"
                            .formatted(
                                    name,
                                    hint(types),
                                    listed(snapshot.classes().keySet()),
                                    listed(types),
                                    types.isEmpty()
                                            ? ", since no slice has a partitionTypeAttribute; count claims instead: --free -f FILE"
                                            : ""));
        }
        return String.join(" || ", alternatives);
    }

    private Set<String> types() {
        return newest().stream().flatMap(FreeAnswer::types).collect(Collectors.toCollection(TreeSet::new));
    }

    private static Stream<String> types(Slice slice) {
        return slice.devices().stream().flatMap(device -> PartitionTypeAttribute.value(slice, device).stream());
    }

    /** Returns the sentence in the user's terms. */
    private String worded(String sentence) {
        return sentence.replace("class \"" + CLASS_OF_TYPE + "\"", "type \"" + name + "\"");
    }

    private void requireClasses(String what) {
        if (!snapshot.objects().isComplete(ObjectKind.CLASSES)) {
            throw new InvalidInputException(
                    "%s is not known: you may not list %s".formatted(what, ObjectKind.CLASSES.resource()));
        }
    }

    private String hint(Set<String> types) {
        var names = new ArrayList<>(types);
        names.addAll(snapshot.classes().keySet());
        return Suggestion.hint(name, names);
    }

    private static String listed(Set<String> names) {
        return names.isEmpty() ? "none" : names.stream().sorted().collect(Collectors.joining(", "));
    }

    private String selector(String driver, String attribute) {
        int slash = attribute.indexOf('/');
        String domain = attribute.substring(0, slash);
        String id = attribute.substring(slash + 1);
        return "(device.driver == %1$s && %3$s in device.attributes[%2$s] && device.attributes[%2$s][%3$s] == %4$s)"
                .formatted(quoted(driver), quoted(domain), quoted(id), quoted(name));
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
