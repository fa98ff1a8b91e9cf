package dev.fakegpu;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import com.tngtech.archunit.lang.ArchRule;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The arrows between packages, and what keeps the deciding ones pure. A package that is not there yet breaks no rule. */
@AnalyzeClasses(packages = "dev.fakegpu", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    private static final String[] PURE = {
        "dev.fakegpu.dra",
        "dev.fakegpu.hardware.catalog..",
        "dev.fakegpu.hardware.inventory..",
        "dev.fakegpu.hardware.slices..",
        "dev.fakegpu.engine.cel..",
        "dev.fakegpu.engine.allocate..",
        "dev.fakegpu.engine.explain..",
        "dev.fakegpu.hardware.slices..",
        "dev.fakegpu.engine.matrix..",
        "dev.fakegpu.cluster.check..",
        "dev.fakegpu.engine.headroom..",
        "dev.fakegpu.cluster.holdings..",
        "dev.fakegpu.dashboard",
        "dev.fakegpu.hardware.dcgm..",
        "dev.fakegpu.hardware.importer..",
        "dev.fakegpu.operator.prepare.config.."
    };

    /** Which of our packages each one may use beside itself. {@code cli} puts everything together and is not listed. */
    private static final Map<String, List<String>> ARROWS = Map.ofEntries(
            Map.entry("api", List.of()),
            Map.entry("dra", List.of()),
            Map.entry("dra.wire", List.of("dra")),
            Map.entry("catalog", List.of("dra", "util")),
            Map.entry("inventory", List.of("api", "catalog", "dra", "util")),
            Map.entry("slices", List.of("api", "inventory", "dra")),
            Map.entry("render", List.of("api", "inventory", "slices", "dra")),
            Map.entry("matrix", List.of("allocate", "cel", "dra", "util")),
            Map.entry("check", List.of("matrix", "inventory", "cel", "dra", "util")),
            Map.entry("headroom", List.of("allocate", "dra", "util")),
            Map.entry("holdings", List.of("allocate", "api", "dra", "headroom", "matrix", "util")),
            Map.entry(
                    "dashboard", List.of("api", "dra", "explain", "headroom", "holdings", "matrix", "slices", "util")),
            Map.entry(
                    "dashboard.server",
                    List.of(
                            "allocate",
                            "api",
                            "client",
                            "dashboard",
                            "dra",
                            "explain",
                            "holdings",
                            "pending",
                            "simulate",
                            "snapshot",
                            "util",
                            "watch",
                            "whatif")),
            Map.entry(
                    "whatif",
                    List.of(
                            "allocate",
                            "cel",
                            "client",
                            "dra",
                            "dra.wire",
                            "explain",
                            "schedule",
                            "snapshot",
                            "util",
                            "watch")),
            Map.entry("dcgm", List.of("api", "dra", "inventory")),
            Map.entry("importer", List.of("api", "dra")),
            Map.entry("cel", List.of("dra", "util")),
            Map.entry("cel.eval", List.of("cel.library", "cel.value", "dra")),
            Map.entry("cel.library", List.of("cel.value", "dra")),
            Map.entry("cel.value", List.of("dra")),
            Map.entry("allocate", List.of("cel", "dra")),
            Map.entry("allocate.lookahead", List.of("dra")),
            Map.entry("allocate.pool", List.of("allocate.lookahead", "cel", "dra")),
            Map.entry("allocate.refusal", List.of("allocate.pool", "dra")),
            Map.entry("explain", List.of("allocate", "cel", "dra", "util")),
            Map.entry("problemfile", List.of("allocate", "explain", "cel", "dra", "dra.wire")),
            Map.entry(
                    "simulate",
                    List.of(
                            "publish",
                            "slices",
                            "schedule",
                            "kubelet",
                            "inventory",
                            "catalog",
                            "allocate",
                            "explain",
                            "api",
                            "dra",
                            "dra.wire",
                            "events",
                            "client",
                            "manifest",
                            "watch",
                            "util")),
            Map.entry("manifest", List.of("api", "client", "util")),
            Map.entry("util", List.of()),
            Map.entry("client", List.of("dra", "dra.wire", "util")),
            Map.entry("events", List.of("client", "util")),
            Map.entry("watch", List.of("api", "client", "dra", "dra.wire")),
            Map.entry(
                    "publish",
                    List.of(
                            "api",
                            "inventory",
                            "catalog",
                            "slices",
                            "dra",
                            "dra.wire",
                            "events",
                            "client",
                            "watch",
                            "util")),
            Map.entry(
                    "schedule",
                    List.of(
                            "allocate",
                            "explain",
                            "cel",
                            "api",
                            "dra",
                            "dra.wire",
                            "events",
                            "client",
                            "watch",
                            "util")),
            Map.entry(
                    "explainer",
                    List.of(
                            "schedule",
                            "allocate",
                            "explain",
                            "cel",
                            "api",
                            "dra",
                            "dra.wire",
                            "events",
                            "client",
                            "watch",
                            "util")),
            Map.entry(
                    "snapshot",
                    List.of(
                            "schedule",
                            "allocate",
                            "cel",
                            "api",
                            "dra",
                            "dra.wire",
                            "client",
                            "holdings",
                            "watch",
                            "util")),
            Map.entry(
                    "pending",
                    List.of(
                            "snapshot",
                            "explainer",
                            "schedule",
                            "allocate",
                            "explain",
                            "problemfile",
                            "cel",
                            "api",
                            "dra",
                            "dra.wire",
                            "client",
                            "watch",
                            "util")),
            Map.entry(
                    "prepare",
                    List.of(
                            "api",
                            "dcgm",
                            "inventory",
                            "slices",
                            "allocate",
                            "dra",
                            "dra.wire",
                            "events",
                            "client",
                            "watch",
                            "util")),
            Map.entry("prepare.config", List.of("inventory", "dra")),
            Map.entry("prepare.fault", List.of("api", "dra", "dra.wire")),
            Map.entry(
                    "prepare.plugin",
                    List.of("prepare", "api", "inventory", "dra", "dra.wire", "events", "client", "watch", "util")),
            Map.entry(
                    "kubelet",
                    List.of("prepare", "api", "inventory", "dra", "dra.wire", "events", "client", "watch", "util")));

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

    /** CustomSpec holds quantities as the API spells them, so inventory has to read and fleet to write those, and only those. */
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

    /** Other packages use pools and allocated devices as values; the state of a search is the allocator's. */
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
                                                    "dev\\.fakegpu\\.allocate\\.pool\\.(Pool|PoolDevice|AllocatedDevices|SelectorVerdict|Group(State|Policy|sGate))(\\$.*)?"))));

    @ArchTest
    static final ArchRule ONLY_THE_COMMAND_LINE_STARTS_THE_KUBELET_PLUGIN = noClasses()
            .that()
            .resideInAPackage("dev.fakegpu..")
            .and()
            .resideOutsideOfPackages("dev.fakegpu.operator.prepare.plugin..", "dev.fakegpu.cli..")
            .and()
            .doNotHaveFullyQualifiedName(
                    "dev.fakegpu.kube.client.ChaChaFirst") // of TLS, which is the same with HTTP and with gRPC
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.fakegpu.operator.prepare.plugin..", "io.grpc..", "io.netty..");

    /** Other packages use {@code cel} through its own classes, not through those of the packages in it. */
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

    /** What the plugin writes and answers is decided without files, sockets and client. */
    @ArchTest
    static final ArchRule WHAT_THE_PLUGIN_DECIDES_IS_PURE = noClasses()
            .that()
            .haveNameMatching(
                    "dev\\.fakegpu\\.prepare\\.(plugin\\.(Checkpoint|PreparedClaim|PreparedResult|CdiSpec|DeviceInfoFile)|ContainerDevice|DeviceSetup|DeviceHealths).*")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.nio.channels..", "io.fabric8..", "io.grpc..", "io.netty..")
            .orShould()
            .dependOnClassesThat()
            .belongToAnyOf(Files.class, Instant.class, Clock.class);

    /** The explainer works out reasons without client and clock. */
    @ArchTest
    static final ArchRule THE_EXPLAINER_DECIDES_PURELY = noClasses()
            .that()
            .haveNameMatching("dev\\.fakegpu\\.explainer\\.(EventText|PendingReasons|DeviceSources|DeviceSource).*")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.fabric8..", "dev.fakegpu.kube.watch..", "dev.fakegpu.dra.wire..")
            .orShould()
            .dependOnClassesThat()
            .belongToAnyOf(Instant.class, Clock.class);

    /** A simulation is the same on every machine and at every time: it reads no cluster, no files and no clock. */
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

    @ArchTest
    static final ArchTests SAFE_TEXT = ArchTests.in(SafeTextRules.class);

    /** So that a name in a stack trace, a page or a talk means one class. */
    @ArchTest
    static void noTwoClassesHaveTheSameName(JavaClasses classes) {
        Map<String, List<String>> byName = classes.stream()
                .filter(JavaClass::isTopLevelClass)
                .filter(type -> !type.getSimpleName().equals("package-info"))
                .filter(type -> !type.getPackageName().contains(".proto.")) // named by the kubelet's API
                .collect(Collectors.groupingBy(
                        JavaClass::getSimpleName, Collectors.mapping(JavaClass::getName, Collectors.toList())));
        byName.values().removeIf(names -> names.size() == 1);
        assertThat(byName).isEmpty();
    }

    @ArchTest
    static final ArchRule NOBODY_DEPENDS_ON_THE_COMMAND_LINE = noClasses()
            .that()
            .resideOutsideOfPackage("dev.fakegpu.cli..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.fakegpu.cli..")
            .allowEmptyShould(true);

    @ArchTest
    static void arrowsGoAsDrawn(JavaClasses classes) {
        ARROWS.forEach((from, to) -> noClasses()
                .that()
                .resideInAPackage(ours(from))
                .should()
                .dependOnClassesThat(resideInAPackage("dev.fakegpu..")
                        .and(not(resideInAnyPackage(Stream.concat(Stream.of(from), to.stream())
                                .map(ArchitectureTest::ours)
                                .toArray(String[]::new)))))
                .allowEmptyShould(true)
                .check(classes));
    }

    /** These have a package inside that is not pure, so they stand for themselves; the others include what is inside. */
    private static final Set<String> PURE_OUTSIDE = Set.of("dra", "dashboard");

    private static String ours(String name) {
        return "dev.fakegpu." + name + (PURE_OUTSIDE.contains(name) ? "" : "..");
    }

    private static DescribedPredicate<JavaClass> quantity() {
        return JavaClass.Predicates.type(io.fabric8.kubernetes.api.model.Quantity.class);
    }
}
