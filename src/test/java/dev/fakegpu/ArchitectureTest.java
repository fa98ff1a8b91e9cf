package dev.fakegpu;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.dsl.Listable;
import io.fabric8.kubernetes.client.informers.SharedInformerFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The packages directly below {@code dev.fakegpu} ("rooms"), their dependencies, and the rules that keep the packages with the decisions
 * pure.
 */
@AnalyzeClasses(packages = "dev.fakegpu", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    private static final Path SOURCES = Path.of("src/main/java/dev/fakegpu");
    private static final Pattern IMPORT =
            Pattern.compile("^import (?:static )?dev\\.fakegpu\\.(\\w+)\\.", Pattern.MULTILINE);

    /** Each room, from the highest layer to the lowest, and the lower rooms that it uses. */
    private static final Map<String, Set<String>> ROOMS = rooms(
            room(
                    "cli",
                    "api",
                    "cluster",
                    "dashboard",
                    "dra",
                    "engine",
                    "hardware",
                    "kube",
                    "operator",
                    "simulate",
                    "util"),
            room("runtime", "api", "cluster", "dashboard", "dra", "engine", "hardware", "kube", "operator", "util"),
            room("dashboard", "api", "cluster", "dra", "engine", "hardware", "kube", "simulate", "util"),
            room("simulate", "api", "cluster", "dra", "engine", "hardware", "kube", "operator", "util"),
            room("operator", "api", "cluster", "dra", "engine", "hardware", "kube", "util"),
            room("cluster", "api", "dra", "engine", "hardware", "kube", "util"),
            room("engine", "dra", "util"),
            room("hardware", "api", "dra", "util"),
            room("kube", "api", "dra", "util"),
            room("api", "dra"),
            room("dra"),
            room("util"));

    private static final String[] PURE = {
        "dev.fakegpu.dra",
        "dev.fakegpu.dra.field..",
        "dev.fakegpu.hardware..",
        "dev.fakegpu.engine.cel..",
        "dev.fakegpu.engine.allocate..",
        "dev.fakegpu.engine.explain..",
        "dev.fakegpu.engine.matrix..",
        "dev.fakegpu.engine.gang..",
        "dev.fakegpu.engine.preemption..",
        "dev.fakegpu.engine.headroom..",
        "dev.fakegpu.cluster.check..",
        "dev.fakegpu.cluster.holdings..",
        "dev.fakegpu.cluster.validation..",
        "dev.fakegpu.dashboard",
        "dev.fakegpu.operator.prepare.config..",
        "dev.fakegpu.operator.prepare.smi.."
    };

    @Test
    void everyDirectoryIsARoom() throws IOException {
        try (Stream<Path> entries = Files.list(SOURCES)) {
            assertThat(entries.map(entry -> entry.getFileName().toString()))
                    .as("directories of %s", SOURCES)
                    .containsExactlyInAnyOrderElementsOf(ROOMS.keySet());
        }
        assertThat(ROOMS.keySet())
                .allSatisfy(room -> assertThat(SOURCES.resolve(room).resolve("package-info.java"))
                        .exists());
    }

    /** Imports show constants, which the compiler copies; bytecode shows types that sources do not name. */
    @ArchTest
    static void eachRoomUsesTheRoomsThatAreDrawn(JavaClasses classes) throws IOException {
        var used = new LinkedHashMap<String, Set<String>>();
        for (String room : ROOMS.keySet()) {
            Set<String> ofRoom = importedBy(room);
            classes.stream()
                    .filter(type -> room.equals(roomOf(type)))
                    .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                    .map(dependency -> roomOf(dependency.getTargetClass().getBaseComponentType()))
                    .forEach(ofRoom::add);
            ofRoom.removeAll(Set.of(room, ""));
            used.put(room, ofRoom);
        }
        assertThat(used).isEqualTo(ROOMS);
    }

    @Test
    void roomsUseLowerRoomsOnly() {
        List<String> fromTheTop = List.copyOf(ROOMS.keySet());
        ROOMS.forEach((room, below) -> assertThat(below)
                .as("rooms below %s", room)
                .doesNotContainAnyElementsOf(fromTheTop.subList(0, fromTheTop.indexOf(room) + 1)));
    }

    @ArchTest
    static final ArchRule PACKAGES_DEPEND_ON_ONE_ANOTHER_WITHOUT_A_CIRCLE =
            SlicesRuleDefinition.slices().matching("dev.fakegpu.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule PURE_PACKAGES_KNOW_NO_FRAMEWORK = noClasses()
            .that()
            .resideInAnyPackage(PURE)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.fabric8.kubernetes.client..",
                    "io.javaoperatorsdk..",
                    "io.quarkus..",
                    "jakarta.enterprise..",
                    "jakarta.inject..")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule PURE_PACKAGES_KNOW_NO_TIME_AND_NO_CHANCE = noClasses()
            .that()
            .resideInAnyPackage(PURE)
            .should()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(Clock.class, "systemUTC")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(UUID.class, "randomUUID")
            .allowEmptyShould(true);

    /** CustomSpec has quantities as in the API, so only inventory, which reads them, and importer, which writes them, may know the type. */
    @ArchTest
    static final ArchRule ONLY_THE_EDGES_KNOW_THE_CLIENTS_MODEL = noClasses()
            .that()
            .resideInAnyPackage(PURE)
            .should()
            .dependOnClassesThat(
                    resideInAPackage("io.fabric8.kubernetes.api.model..").and(not(quantity())))
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule ONLY_WHO_READS_AND_WRITES_SPECS_KNOWS_THE_CLIENTS_QUANTITY = noClasses()
            .that()
            .resideInAnyPackage(PURE)
            .and()
            .resideOutsideOfPackages("dev.fakegpu.hardware.inventory..", "dev.fakegpu.hardware.importer..")
            .should()
            .dependOnClassesThat(quantity())
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule ONLY_THE_ALLOCATOR_LOOKS_AHEAD = noClasses()
            .that()
            .resideOutsideOfPackage("dev.fakegpu.engine.allocate..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.fakegpu.engine.allocate.lookahead..");

    /** Other packages use pools and allocated devices as values; only the allocator knows the state of a search. */
    @ArchTest
    static final ArchRule ONLY_THE_ALLOCATOR_KNOWS_THE_STATE_OF_POOLS = noClasses()
            .that()
            .resideOutsideOfPackage("dev.fakegpu.engine.allocate..")
            .should()
            .dependOnClassesThat(
                    resideInAPackage("dev.fakegpu.engine.allocate.pool..")
                            .and(
                                    not(
                                            nameMatching(
                                                    "dev\\.fakegpu\\.engine\\.allocate\\.pool\\.(Pool|PoolDevice|AllocatedDevices|SelectorVerdict|Group(State|Policy|sGate))(\\$.*)?"))));

    /** Other packages use the settings and the reports of the companion, but not the internal types of its parts. */
    @ArchTest
    static final ArchRule ONLY_THE_COMPANION_KNOWS_ITS_PARTS = noClasses()
            .that()
            .resideOutsideOfPackage("dev.fakegpu.operator.schedule..")
            .should()
            .dependOnClassesThat(
                    resideInAnyPackage(
                                    "dev.fakegpu.operator.schedule.cache..",
                                    "dev.fakegpu.operator.schedule.queue..",
                                    "dev.fakegpu.operator.schedule.search..",
                                    "dev.fakegpu.operator.schedule.bind..",
                                    "dev.fakegpu.operator.schedule.report..")
                            .and(
                                    not(
                                            nameMatching(
                                                    "dev\\.fakegpu\\.operator\\.schedule\\.(search\\.SearchTime|report\\.DecisionListener)(\\$.*)?"))));

    @ArchTest
    static final ArchRule ONLY_THE_COMMAND_LINE_STARTS_THE_KUBELET_PLUGIN = noClasses()
            .that()
            .resideInAPackage("dev.fakegpu..")
            .and()
            .resideOutsideOfPackages("dev.fakegpu.operator.prepare.plugin..", "dev.fakegpu.cli..")
            .and()
            .doNotHaveFullyQualifiedName(
                    "dev.fakegpu.kube.client.ChaChaFirst") // it is about TLS, which is the same with HTTP and with gRPC
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.fakegpu.operator.prepare.plugin..", "io.grpc..", "io.netty..");

    /** Other packages use the classes of {@code cel} itself, but not those of its subpackages. */
    @ArchTest
    static final ArchRule ONLY_CEL_KNOWS_HOW_EXPRESSIONS_ARE_EVALUATED = noClasses()
            .that()
            .resideOutsideOfPackage("dev.fakegpu.engine.cel..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "dev.fakegpu.engine.cel.eval..",
                    "dev.fakegpu.engine.cel.library..",
                    "dev.fakegpu.engine.cel.value..");

    /** The plugin decides without files, sockets and client what it writes and answers. */
    @ArchTest
    static final ArchRule WHAT_THE_PLUGIN_DECIDES_IS_PURE = noClasses()
            .that()
            .haveNameMatching(
                    "dev\\.fakegpu\\.operator\\.prepare\\.(plugin\\.(Checkpoint|PreparedClaim|PreparedResult|CdiSpec|DeviceInfoFile)|ContainerDevice|DeviceSetup|DeviceHealths).*")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.nio.channels..", "io.fabric8..", "io.grpc..", "io.netty..")
            .orShould()
            .dependOnClassesThat()
            .belongToAnyOf(Files.class, Instant.class, Clock.class);

    /** Reasons are determined without client and clock. */
    @ArchTest
    static final ArchRule REASONS_ARE_WORKED_OUT_PURELY = noClasses()
            .that()
            .haveNameMatching(
                    "dev\\.fakegpu\\.cluster\\.pending\\.(EventText|PendingReasons|DeviceSources|DeviceSource).*")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.fabric8..", "dev.fakegpu.kube.watch..", "dev.fakegpu.dra.wire..")
            .orShould()
            .dependOnClassesThat()
            .belongToAnyOf(Instant.class, Clock.class);

    /** A simulation has the same results on every machine and at any time: it uses no cluster, no files and no clock. */
    @ArchTest
    static final ArchRule SIMULATIONS_KNOW_NO_CLUSTER_AND_NO_TIME = noClasses()
            .that()
            .resideInAPackage("dev.fakegpu.simulate..")
            .should()
            .dependOnClassesThat()
            .belongToAnyOf(KubernetesClient.class, Files.class, Thread.class)
            .orShould()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(Clock.class, "systemUTC")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(UUID.class, "randomUUID");

    /** Classes that list objects or create informers. */
    private static final Set<String> LIST = Set.of(
            "kube.client.Informers", // with a limit
            "kube.client.Pages", // with a limit
            "kube.watch.WatchedKind"); // one object

    /** A list that is not read page by page may need more memory than there is. */
    @ArchTest
    static void listsAreReadPageByPage(JavaClasses classes) {
        assertThat(TimeRules.namesOfCallers(
                        classes,
                        call -> isOf(call, Listable.class) && call.getName().equals("list")
                                || isOf(call, Informable.class) && INFORMERS.contains(call.getName())
                                || isOf(call, SharedInformerFactory.class)))
                .isEqualTo(LIST);
    }

    private static final Set<String> INFORMERS = Set.of("inform", "runnableInformer");

    private static boolean isOf(AccessTarget call, Class<?> type) {
        return call.getOwner().isAssignableTo(type);
    }

    @ArchTest
    static final ArchTests SAFE_TEXT = ArchTests.in(SafeTextRules.class);

    @ArchTest
    static final ArchTests JSON = ArchTests.in(JsonRules.class);

    @ArchTest
    static final ArchTests TIME = ArchTests.in(TimeRules.class);

    /** The name in a stack trace, a page or a talk must identify the class. */
    @ArchTest
    static void noTwoClassesHaveTheSameName(JavaClasses classes) {
        Map<String, List<String>> byName = classes.stream()
                .filter(JavaClass::isTopLevelClass)
                .filter(type -> !type.getSimpleName().equals("package-info"))
                .filter(type -> !type.getPackageName().contains(".proto.")) // the kubelet's API determines these names
                .collect(Collectors.groupingBy(
                        JavaClass::getSimpleName, Collectors.mapping(JavaClass::getName, Collectors.toList())));
        byName.values().removeIf(names -> names.size() == 1);
        assertThat(byName).isEmpty();
    }

    private static Set<String> importedBy(String room) throws IOException {
        var used = new TreeSet<String>();
        try (Stream<Path> files = Files.walk(SOURCES.resolve(room))) {
            for (Path file :
                    files.filter(file -> file.toString().endsWith(".java")).toList()) {
                IMPORT.matcher(Files.readString(file))
                        .results()
                        .map(match -> match.group(1))
                        .forEach(used::add);
            }
        }
        return used;
    }

    /** The room of a class; empty for classes of other projects. */
    private static String roomOf(JavaClass type) {
        return type.getPackageName().startsWith("dev.fakegpu.")
                ? type.getPackageName().split("\\.")[2]
                : "";
    }

    private static Entry<String, Set<String>> room(String name, String... uses) {
        return Map.entry(name, new TreeSet<>(List.of(uses)));
    }

    @SafeVarargs
    private static Map<String, Set<String>> rooms(Entry<String, Set<String>>... rooms) {
        var fromTheTop = new LinkedHashMap<String, Set<String>>();
        for (Entry<String, Set<String>> room : rooms) {
            fromTheTop.put(room.getKey(), room.getValue());
        }
        return fromTheTop;
    }

    private static DescribedPredicate<JavaClass> quantity() {
        return JavaClass.Predicates.type(io.fabric8.kubernetes.api.model.Quantity.class);
    }
}
