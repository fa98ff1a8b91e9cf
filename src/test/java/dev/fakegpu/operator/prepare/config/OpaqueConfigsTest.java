package dev.fakegpu.operator.prepare.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.ContainersSpec;
import dev.fakegpu.api.ContainersSpec.Convention;
import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.ClaimReader;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpaqueConfigsTest {

    private static final String NVIDIA = "gpu.nvidia.com";
    private static final String EXAMPLE = "gpu.example.com";

    private static final String GPU = "apiVersion: resource.nvidia.com/v1beta1, kind: GpuConfig";
    private static final String MIG = "apiVersion: resource.nvidia.com/v1beta1, kind: MigDeviceConfig";
    private static final String VGPU = "apiVersion: resource.nvidia.com/v1beta1, kind: VgpuDeviceConfig";
    private static final String VFIO = "apiVersion: resource.nvidia.com/v1beta1, kind: VfioDeviceConfig";
    private static final String EXAMPLE_GPU = "apiVersion: gpu.resource.example.com/v1alpha1, kind: GpuConfig";

    private static final ConfigTarget WHOLE = target("gpu", "gpu-0", "gpu");
    private static final ConfigTarget SLICE = target("mig", "gpu-1-mig-1g5gb-19-0", "mig");
    private static final ConfigTarget VIRTUAL = target("vgpu", "vgpu-gpu-0-12q-0", "vgpu");
    private static final ConfigTarget PASSED_THROUGH = target("vfio", "gpu-vfio-0", "vfio");

    // --- accepted configuration ---

    @Test
    void manifestsOfNvidiaAreAccepted() {
        assertThat(nvidia(WHOLE, "{" + GPU + "}")).isEqualTo(Map.of());
        assertThat(nvidia(
                        WHOLE, "{" + GPU + ", sharing: {strategy: TimeSlicing, timeSlicingConfig: {interval: Long}}}"))
                .isEqualTo(Map.of("SHARING_STRATEGY", "TimeSlicing", "TIMESLICE_INTERVAL", "Long"));
        assertThat(
                        nvidia(
                                WHOLE,
                                "{" + GPU
                                        + ", sharing: {strategy: MPS, mpsConfig: {defaultActiveThreadPercentage: 50,"
                                        + " defaultPinnedDeviceMemoryLimit: 10Gi, defaultPerDevicePinnedMemoryLimit: {'0': 5Gi, uuid-of-gpu-0: 1024Mi}}}}"))
                .isEqualTo(Map.of("SHARING_STRATEGY", "MPS", "MPS_ACTIVE_THREAD_PERCENTAGE", "50"));
        assertThat(nvidia(SLICE, "{" + MIG + ", sharing: {strategy: TimeSlicing}}"))
                .isEqualTo(Map.of("SHARING_STRATEGY", "TimeSlicing"));
        assertThat(nvidia(
                        PASSED_THROUGH, "{" + VFIO + ", iommu: {backendPolicy: PreferIommuFD, enableAPIDevice: true}}"))
                .isEqualTo(Map.of("IOMMU_BACKEND_POLICY", "PreferIommuFD"));
        assertThat(nvidia(VIRTUAL, "{" + VGPU + ", profile: NVIDIA L40S-12Q, profileID: 1177, params: {frl: '0'}}"))
                .isEqualTo(Map.of());
    }

    @Test
    void manifestsOfTheExampleDriverAreAcceptedForAllDevices() {
        var result = apply(
                EXAMPLE,
                "{source: FromClaim, requests: [mig], opaque: {driver: gpu.example.com, parameters: {" + EXAMPLE_GPU
                        + ", sharing: {strategy: SpacePartitioning, spacePartitioningConfig: {partitionCount: 10}}}}}",
                like(SLICE, Convention.DRA_EXAMPLE_DRIVER));

        assertThat(result.problem()).isEmpty();
        assertThat(result.settings())
                .containsExactly(Map.of("SHARING_STRATEGY", "SpacePartitioning", "PARTITION_COUNT", "10"));
    }

    @Test
    void otherDriversConfigurationIsLeftAlone() {
        String bogus = "parameters: {apiVersion: v0, kind: Whatever, x: 1}";

        assertThat(apply(NVIDIA, "{source: FromClaim, opaque: {driver: other.example.com, " + bogus + "}}", WHOLE)
                        .problem())
                .isEmpty();
        assertThat(apply("gpu.mine.com", forAll("gpu.mine.com", "{x: 1}"), like(WHOLE))
                        .problem())
                .isEmpty();
        assertThat(apply("gpu.mine.com", forAll("gpu.mine.com", "7"), like(WHOLE))
                        .problem())
                .isEmpty();
    }

    @Test
    void theDeviceDecidesAndNotTheNameOfTheDriver() {
        String timeSlicing = ", sharing: {strategy: TimeSlicing, timeSlicingConfig: {interval: Long}}}";
        String mine = "my-gpus.example.com";

        for (var config : Map.of(
                        Convention.DRA_EXAMPLE_DRIVER,
                        EXAMPLE_GPU,
                        Convention.RUN_AI,
                        EXAMPLE_GPU,
                        Convention.NVIDIA,
                        GPU)
                .entrySet()) {
            var result = apply(mine, forAll(mine, "{" + config.getValue() + timeSlicing), like(WHOLE, config.getKey()));

            assertThat(result.problem()).isEmpty();
            assertThat(result.settings().get(0)).containsEntry("TIMESLICE_INTERVAL", "Long");
        }
        assertThat(apply(NVIDIA, forAll(NVIDIA, "{" + GPU + "}"), like(WHOLE, Convention.DRA_EXAMPLE_DRIVER))
                        .problem())
                .hasValue("status.allocation.devices.config[0].opaque.parameters.apiVersion:"
                        + " \"resource.nvidia.com/v1beta1\" is unknown; allowed: gpu.resource.example.com/v1alpha1");
        assertThat(apply(NVIDIA, forAll(NVIDIA, "{}"), like(WHOLE, Convention.RUN_AI, Convention.NVIDIA))
                        .problem())
                .hasValue("status.allocation.devices.config[0].opaque.parameters.apiVersion is missing;"
                        + " allowed: resource.nvidia.com/v1beta1, gpu.resource.example.com/v1alpha1");
    }

    /** Custom hardware may have its own API, or that of any driver. */
    @Test
    void hardwareThatFollowsNoConventionsHasAnyApi() {
        for (String object : List.of(GPU, EXAMPLE_GPU)) {
            var settings = apply(
                    "gpu.mine.com",
                    forAll("gpu.mine.com", "{" + object + ", sharing: {strategy: Bogus}}"),
                    like(WHOLE));

            assertThat(settings.problem())
                    .hasValueSatisfying(
                            problem -> assertThat(problem).contains("sharing.strategy: \"Bogus\" is unknown"));
        }
    }

    // --- refused configuration ---

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            GPU  | sharng: {strategy: MPS}                                    | sharng: "{"strategy":"MPS"}" is in an unknown field; allowed: apiVersion, kind, sharing
            GPU  | metadata: {name: x}                                        | metadata: "{"name":"x"}" is in an unknown field; allowed: apiVersion, kind, sharing
            GPU  | sharing: {strategy: Bogus}                                 | sharing.strategy: "Bogus" is unknown; allowed: TimeSlicing, MPS
            GPU  | sharing: {}                                                | sharing.strategy is missing; allowed: TimeSlicing, MPS
            GPU  | sharing: 7                                                 | sharing: "7" is of the wrong type; allowed: an object
            GPU  | sharing: {strategy: 7}                                     | sharing.strategy: "7" is of the wrong type; allowed: a string
            GPU  | sharing: {strategy: TimeSlicing, timeSlicingConfig: {interval: Eternal}} | sharing.timeSlicingConfig.interval: "Eternal" is unknown; allowed: Default, Short, Medium, Long
            GPU  | sharing: {strategy: TimeSlicing, timeSlicingConfig: {}}    | sharing.timeSlicingConfig.interval is missing; allowed: Default, Short, Medium, Long
            GPU  | sharing: {strategy: TimeSlicing, mpsConfig: {}}            | sharing.mpsConfig: "{...}" does not go with strategy TimeSlicing; allowed: no mpsConfig
            GPU  | sharing: {strategy: MPS, timeSlicingConfig: {interval: Long}} | sharing.timeSlicingConfig: "{...}" does not go with strategy MPS; allowed: no timeSlicingConfig
            GPU  | sharing: {strategy: MPS, mpsConfig: {defaultActiveThreadPercentage: 101}} | sharing.mpsConfig.defaultActiveThreadPercentage: "101" is out of range; allowed: 0 to 100
            GPU  | sharing: {strategy: MPS, mpsConfig: {defaultActiveThreadPercentage: '50'}} | sharing.mpsConfig.defaultActiveThreadPercentage: "50" is of the wrong type; allowed: an integer
            GPU  | sharing: {strategy: MPS, mpsConfig: {defaultActiveThreadPercentage: 0.5}} | sharing.mpsConfig.defaultActiveThreadPercentage: "0.5" is of the wrong type; allowed: an integer
            GPU  | sharing: {strategy: MPS, mpsConfig: {defaultPinnedDeviceMemoryLimit: much}} | sharing.mpsConfig.defaultPinnedDeviceMemoryLimit: "much" is of the wrong type; allowed: a quantity such as 4Gi
            GPU  | sharing: {strategy: MPS, mpsConfig: {defaultPinnedDeviceMemoryLimit: 1k}} | sharing.mpsConfig.defaultPinnedDeviceMemoryLimit: "1k" is too low; allowed: 1Mi and more
            GPU  | sharing: {strategy: MPS, mpsConfig: {defaultPerDevicePinnedMemoryLimit: {'1': 1Gi}}} | sharing.mpsConfig.defaultPerDevicePinnedMemoryLimit: "1" is none of the devices; allowed: 0 to 0, or the UUID of one of them
            MIG  | sharing: {strategy: TimeSlicing, timeSlicingConfig: {interval: Long}} | sharing.timeSlicingConfig: "{"interval":"Long"}" is in an unknown field; allowed: mpsConfig, strategy
            VFIO | iommu: {backendPolicy: Any}                                | iommu.backendPolicy: "Any" is unknown; allowed: LegacyOnly, PreferIommuFD
            VFIO | iommu: {enableAPIDevice: 'true'}                           | iommu.enableAPIDevice: "true" is of the wrong type; allowed: true, false
            VGPU | profile: NVIDIA L40S-24Q                                   | profile: "NVIDIA L40S-24Q" is not the profile of device vgpu-gpu-0-12q-0; allowed: NVIDIA L40S-12Q
            VGPU | profileID: 1                                               | profileID: "1" is not the typeID of device vgpu-gpu-0-12q-0; allowed: 1177
            VGPU | profileID: -1                                              | profileID: "-1" is out of range; allowed: 0 to 2147483647
            VGPU | params: {'': x}                                            | params has a parameter without a name; allowed: names that are not empty
            EXAMPLE | sharing: {strategy: MPS}                                | sharing.strategy: "MPS" is unknown; allowed: TimeSlicing, SpacePartitioning
            EXAMPLE | sharing: {strategy: SpacePartitioning, spacePartitioningConfig: {partitionCount: -1}} | sharing.spacePartitioningConfig.partitionCount: "-1" is out of range; allowed: 0 to 2147483647
            """)
    void refusesWhatTheDriverWouldRefuse(String kind, String fields, String sentence) {
        var object = switch (kind) {
            case "GPU" -> GPU;
            case "MIG" -> MIG;
            case "VFIO" -> VFIO;
            case "VGPU" -> VGPU;
            default -> EXAMPLE_GPU;
        };
        var target = switch (kind) {
            case "MIG" -> SLICE;
            case "VFIO" -> PASSED_THROUGH;
            case "VGPU" -> VIRTUAL;
            case "EXAMPLE" -> like(WHOLE, Convention.DRA_EXAMPLE_DRIVER);
            default -> WHOLE;
        };
        String driver = kind.equals("EXAMPLE") ? EXAMPLE : NVIDIA;

        var result = apply(driver, forAll(driver, "{" + object + ", " + fields + "}"), target);

        assertThat(result.problem()).hasValue("status.allocation.devices.config[0].opaque.parameters." + sentence);
    }

    @Test
    void refusesMpsForWhatSeveralClaimsCanShare() {
        for (var config : Map.of(WHOLE, GPU, SLICE, MIG).entrySet()) {
            ConfigTarget target = config.getKey();
            Device shared = target.device().sharedBy(target.device().capacity());
            String mps = forAll(NVIDIA, "{" + config.getValue() + ", sharing: {strategy: MPS}}");

            assertThat(apply(NVIDIA, mps, target).problem()).isEmpty();
            assertThat(apply(
                                    NVIDIA,
                                    mps,
                                    new ConfigTarget(
                                            target.request(), shared, target.uuid(), Set.of(Convention.NVIDIA)))
                            .problem())
                    .hasValue(
                            "status.allocation.devices.config[0].opaque.parameters.sharing.strategy: \"MPS\" does not go"
                                    + " with device " + shared.name()
                                    + ", which several claims can share; allowed: TimeSlicing");
        }
    }

    @Test
    void refusesWhatIsNoObjectOfTheApi() {
        assertThat(apply(NVIDIA, forAll(NVIDIA, "{kind: GpuConfig}"), WHOLE).problem())
                .hasValue(
                        "status.allocation.devices.config[0].opaque.parameters.apiVersion is missing; allowed: resource.nvidia.com/v1beta1");
        assertThat(apply(NVIDIA, forAll(NVIDIA, "{" + EXAMPLE_GPU + "}"), WHOLE).problem())
                .hasValue("status.allocation.devices.config[0].opaque.parameters.apiVersion:"
                        + " \"gpu.resource.example.com/v1alpha1\" is unknown; allowed: resource.nvidia.com/v1beta1");
        assertThat(apply(NVIDIA, forAll(NVIDIA, "{apiVersion: resource.nvidia.com/v1beta1, kind: Gpu}"), WHOLE)
                        .problem())
                .hasValue(
                        "status.allocation.devices.config[0].opaque.parameters.kind: \"Gpu\" is unknown; allowed: GpuConfig,"
                                + " MigDeviceConfig, VfioDeviceConfig, VgpuDeviceConfig");
    }

    // --- precedence ---

    @Test
    void configurationOfClaimsOverridesClassesAndLaterOverridesEarlier() {
        assertThat(settings(
                        config("FromClaim", "", "Short"),
                        config("FromClaim", "", "Medium"),
                        config("FromClass", "gpu", "Long")))
                .containsExactly("Medium");
        assertThat(settings(config("FromClass", "gpu", "Long"), config("FromClass", "gpu", "Short")))
                .containsExactly("Short");
    }

    @Test
    void configurationIsForItsRequestsAndTheirAlternatives() {
        assertThat(settings(config("FromClaim", "other", "Short"), config("FromClass", "", "Long")))
                .containsExactly("Long");
        assertThat(settings(config("FromClaim", "", "Long"), config("FromClaim", "gpu", "Short")))
                .containsExactly("Short");

        var alternative = target("gpu/first", "gpu-0", "gpu");
        assertThat(apply(NVIDIA, config("FromClaim", "gpu", "Short"), alternative)
                        .settings())
                .extracting(settings -> settings.get("TIMESLICE_INTERVAL"))
                .containsExactly("Short");
        assertThat(apply(NVIDIA, config("FromClaim", "gpu/first", "Medium"), alternative)
                        .settings())
                .extracting(settings -> settings.get("TIMESLICE_INTERVAL"))
                .containsExactly("Medium");
        assertThat(apply(NVIDIA, config("FromClaim", "gpu/second", "Medium"), alternative)
                        .settings())
                .containsExactly(Map.of());
    }

    @Test
    void configurationThatIsNotAppliedMayHaveInvalidValuesButNoUnknownFields() {
        assertThat(settings(config("FromClass", "gpu", "Bogus"), config("FromClaim", "gpu", "Long")))
                .containsExactly("Long");
        assertThat(apply(
                                NVIDIA,
                                config("FromClaim", "gpu", "Long") + ", "
                                        + "{source: FromClass, opaque: {driver: gpu.nvidia.com, parameters: {" + GPU
                                        + ", bogus: 1}}}",
                                WHOLE)
                        .problem())
                .hasValue(
                        "status.allocation.devices.config[1].opaque.parameters.bogus: \"1\" is in an unknown field; allowed:"
                                + " apiVersion, kind, sharing");
    }

    @Test
    void configurationForARequestHasToFitItsDevice() {
        assertThat(apply(
                                NVIDIA,
                                "{source: FromClaim, requests: [gpu], opaque: {driver: gpu.nvidia.com, parameters: {"
                                        + MIG + "}}}",
                                WHOLE)
                        .problem())
                .hasValue(
                        "status.allocation.devices.config[0].opaque.parameters.kind: \"MigDeviceConfig\" cannot be applied to"
                                + " device gpu-0 of type gpu (request gpu); allowed: GpuConfig");
        assertThat(apply(NVIDIA, config("FromClaim", "mig", "Long"), SLICE).problem())
                .hasValue(
                        "status.allocation.devices.config[0].opaque.parameters.kind: \"GpuConfig\" cannot be applied to device"
                                + " gpu-1-mig-1g5gb-19-0 of type mig (request mig); allowed: MigDeviceConfig");
    }

    @Test
    void configurationForAllRequestsIsForTheDevicesThatItFits() {
        var result = apply(
                NVIDIA,
                config("FromClaim", "", "Short")
                        + ", {source: FromClaim, opaque: {driver: gpu.nvidia.com, parameters: {" + MIG
                        + ", sharing: {strategy: MPS}}}}",
                WHOLE,
                SLICE);

        assertThat(result.problem()).isEmpty();
        assertThat(result.settings())
                .containsExactly(
                        Map.of("SHARING_STRATEGY", "TimeSlicing", "TIMESLICE_INTERVAL", "Short"),
                        Map.of("SHARING_STRATEGY", "MPS"));
    }

    private static List<String> settings(String... configs) {
        var result = apply(NVIDIA, String.join(", ", configs), WHOLE);
        assertThat(result.problem()).isEmpty();
        return result.settings().stream()
                .map(settings -> String.valueOf(settings.get("TIMESLICE_INTERVAL")))
                .toList();
    }

    private static String config(String source, String requests, String interval) {
        return "{source: %s, requests: [%s], opaque: {driver: gpu.nvidia.com, parameters: {%s, sharing: {strategy: TimeSlicing, timeSlicingConfig: {interval: %s}}}}}"
                .formatted(source, requests, GPU, interval);
    }

    private static String forAll(String driver, String parameters) {
        return "{source: FromClaim, opaque: {driver: %s, parameters: %s}}".formatted(driver, parameters);
    }

    private static Map<String, String> nvidia(ConfigTarget target, String parameters) {
        var result = apply(NVIDIA, forAll(NVIDIA, parameters), target);
        assertThat(result.problem()).isEmpty();
        return result.settings().get(0);
    }

    /** Reads the parameters from a claim, since their Java type depends on the client. */
    private static OpaqueConfigs.Result apply(String driver, String configs, ConfigTarget... targets) {
        var claim = Serialization.unmarshal("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: claim, namespace: default}
                status: {allocation: {devices: {config: [%s]}}}
                """.formatted(configs), ResourceClaim.class);
        return OpaqueConfigs.apply(
                driver,
                new AllocatedConfigs(Allocations.configs(claim), () -> ClaimReader.read(claim), List.of()),
                Arrays.asList(targets));
    }

    private static ConfigTarget like(ConfigTarget target, Convention... conventions) {
        return new ConfigTarget(target.request(), target.device(), target.uuid(), Set.of(conventions));
    }

    private static ConfigTarget target(String request, String name, String type) {
        var attributes = type.equals("vgpu")
                ? Map.of(
                        "type", AttributeValue.of(type),
                        "profile", AttributeValue.of("NVIDIA L40S-12Q"),
                        "typeID", AttributeValue.of(1177))
                : Map.of("type", AttributeValue.of(type));
        var device = new Device(name, attributes, Map.of(), List.of(), List.of());
        return new ConfigTarget(
                request, device, "uuid-of-" + name, Conventions.of(false, ContainersSpec.DEFAULT, device));
    }
}
