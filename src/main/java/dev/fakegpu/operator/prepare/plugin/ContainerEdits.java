package dev.fakegpu.operator.prepare.plugin;

import dev.fakegpu.api.ContainersSpec.Convention;
import dev.fakegpu.operator.prepare.DeviceSetup;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * What is added to the containers of a prepared claim: this project's variables, and those of the imitated drivers, so that programs and
 * tests written for them find what they look for. NVIDIA's are those of {@code cmd/gpu-kubelet-plugin/cdi.go} and {@code sharing.go}
 * (kubernetes-sigs/dra-driver-nvidia-gpu, commit 95932046) and of {@code pkg/nvcdi/wrapper.go} (NVIDIA/nvidia-container-toolkit v1.19.1);
 * dra-example-driver's those of {@code cmd/dra-example-kubeletplugin/cdi.go} and {@code internal/profiles/gpu/gpu.go}, or {@code
 * net/net.go} for devices named {@code nic-<N>} (commit 31914cea); those of run-ai's fake-gpu-operator of {@code
 * internal/dra-plugin-gpu/cdi.go} and {@code state.go} (commit 3a3f6441).
 *
 * @param env environment variables of each container that uses any device of the claim
 * @param tools the paths of {@code nvidia-smi} in containers
 * @param byLabel what is added only to containers that have the device with this label
 */
record ContainerEdits(Map<String, String> env, List<String> tools, Map<String, OfDevice> byLabel) {

    private static final String TOOL = "/usr/bin/nvidia-smi";
    private static final String RUN_AI_TOOL = "/bin/nvidia-smi";

    /** The settings of dra-example-driver and run-ai's plugin for a device without configuration. */
    private static final Map<String, String> DEFAULT_SETTINGS =
            Map.of("SHARING_STRATEGY", "TimeSlicing", "TIMESLICE_INTERVAL", "Default");

    private static final List<String> EXAMPLE_CAPACITIES = List.of("memory", "compute");

    /** The prefix of the devices of dra-example-driver's profile {@code net}. */
    private static final String NIC = "nic-";

    private static final Map<String, String> NIC_RATES =
            Map.of("ingressBandwidth", "INGRESS_RATE", "egressBandwidth", "EGRESS_RATE");

    /** The directory in which MPS clients look for the control daemon. */
    static final String MPS_DIRECTORY = "/tmp/nvidia-mps";

    /** @param mps whether the directory of the MPS control daemon is mounted */
    record OfDevice(Map<String, String> env, boolean mps) {}

    /** @param setups the setup of each device, by its label */
    static ContainerEdits of(String driver, String node, PreparedClaim claim, Map<String, DeviceSetup> setups) {
        var byLabel = new LinkedHashMap<String, OfDevice>();
        claim.results()
                .forEach(result -> byLabel.put(
                        result.label(), ofDevice(claim, result, Objects.requireNonNull(setups.get(result.label())))));
        List<String> tools = anyFollows(setups, Convention.RUN_AI) ? List.of(TOOL, RUN_AI_TOOL) : List.of(TOOL);
        return new ContainerEdits(ofClaim(driver, node, claim, setups), tools, byLabel);
    }

    boolean hasMps() {
        return byLabel.values().stream().anyMatch(OfDevice::mps);
    }

    private static Map<String, String> ofClaim(
            String driver, String node, PreparedClaim claim, Map<String, DeviceSetup> setups) {
        var env = new LinkedHashMap<String, String>();
        if (anyFollows(setups, Convention.NVIDIA)) {
            // Keeps NVIDIA's container runtime, if the node has it, from adding the GPUs that the image asks for.
            env.put("NVIDIA_VISIBLE_DEVICES", "void");
        }
        if (anyFollows(setups, Convention.RUN_AI)) {
            env.put("NODE_NAME", node);
        }
        if (anyFollows(setups, Convention.DRA_EXAMPLE_DRIVER)) {
            env.put("KUBERNETES_NODE_NAME", node);
            env.put("DRA_RESOURCE_DRIVER_NAME", driver);
            env.put(
                    "DRA_ADMIN_ACCESS",
                    Boolean.toString(claim.results().stream().anyMatch(result -> result.configuredFor() == null)));
        }
        return env;
    }

    private static boolean anyFollows(Map<String, DeviceSetup> setups, Convention convention) {
        return setups.values().stream().anyMatch(setup -> setup.conventions().contains(convention));
    }

    private static OfDevice ofDevice(PreparedClaim claim, PreparedResult result, DeviceSetup setup) {
        var env = new LinkedHashMap<>(setup.env());
        String device = setup.vendorName();
        if (setup.conventions().contains(Convention.DRA_EXAMPLE_DRIVER)) {
            if (device.startsWith(NIC)) {
                addNic(env, claim, result, device);
            } else {
                addExample(env, claim, result, setup);
            }
        }
        if (setup.conventions().contains(Convention.RUN_AI)) {
            addSettings(env, "GPU_DEVICE_" + device.replace('-', '_'), setup);
        }
        boolean mps = setup.conventions().contains(Convention.NVIDIA)
                && "MPS".equals(setup.settings().get("SHARING_STRATEGY"));
        if (mps) {
            env.put("CUDA_MPS_PIPE_DIRECTORY", MPS_DIRECTORY);
        }
        return new OfDevice(env, mps);
    }

    private static void addExample(
            Map<String, String> env, PreparedClaim claim, PreparedResult result, DeviceSetup setup) {
        String device = setup.vendorName();
        // dra-example-driver drops the first four characters, "gpu-", of the names of all its devices.
        String variable = "GPU_DEVICE_" + inCapitals(device.startsWith("gpu-") ? device.substring(4) : device);
        env.put(
                "GPU_DEVICE_" + inCapitals(device) + "_RESOURCE_CLAIM",
                claim.claim().uid());
        addSettings(env, variable, setup);
        EXAMPLE_CAPACITIES.forEach(name -> {
            var consumed = result.consumed().get(name);
            if (consumed != null) {
                env.put(variable + "_" + inCapitals(name), consumed.toString());
            }
        });
    }

    private static void addSettings(Map<String, String> env, String variable, DeviceSetup setup) {
        env.put(variable, setup.container().id().device());
        var settings = setup.settings().isEmpty() ? DEFAULT_SETTINGS : setup.settings();
        settings.keySet().stream().sorted().forEach(name -> env.put(variable + "_" + name, settings.get(name)));
    }

    private static void addNic(Map<String, String> env, PreparedClaim claim, PreparedResult result, String device) {
        env.put(
                "NET_DEVICE_" + inCapitals(device) + "_RESOURCE_CLAIM",
                claim.claim().uid());
        String variable = "NET_DEVICE_" + inCapitals(device.substring(NIC.length())) + "_";
        NIC_RATES.forEach((capacity, rate) -> {
            var consumed = result.consumed().get(capacity);
            if (consumed != null) {
                env.put(variable + rate, consumed.value().toBigInteger().toString());
            }
        });
    }

    private static String inCapitals(String name) {
        return name.toUpperCase(Locale.ROOT).replace('-', '_');
    }
}
