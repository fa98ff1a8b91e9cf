package dev.fakegpu.operator.prepare.smi;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The values of a device by the names in {@code fields.txt} and {@code views.txt}: those of its info file, and those derived from them.
 * Unknown values are missing.
 */
final class SmiValues {

    static final String IS_MIG = "isMig";
    static final String NIC = "nic";
    static final String NOT_PERMITTED = "Insufficient Permissions";
    static final String DEPRECATED = "Requested functionality has been deprecated";

    private static final Pattern PLACEHOLDER = Pattern.compile("\\{([\\w./]+)(?::(-?\\d+))?}");
    private static final Pattern ADDRESS =
            Pattern.compile("(?:0000)?(\\p{XDigit}+):(\\p{XDigit}+):(\\p{XDigit}+)\\..*");
    private static final String CUT = "... ";

    /** The device has this value if its model is known. */
    private static final String KNOWN_MODEL = "nvml.pciDeviceId";

    /** Since the Ada architecture, margins to the limits are shown instead of the limits themselves. */
    private static final double MARGINS_SINCE = 8.9;

    private static final double FABRIC_SINCE = 9;

    private final Map<String, String> known;
    private final @Nullable SmiValues device;

    private SmiValues(Map<String, String> known, @Nullable SmiValues device) {
        this.known = known;
        this.device = device;
    }

    /**
     * The values of the GPU as the container sees it; {@link #ofDevice} has those of the device.
     *
     * @param info the lines of the device's info file
     */
    static SmiValues of(Map<String, String> info) {
        var device = new SmiValues(new HashMap<>(info), null);
        device.addNames();
        device.addAddress();
        device.addPlace();
        device.addMig();
        var gpu = new SmiValues(new HashMap<>(device.known), device);
        gpu.addMemory();
        gpu.addState();
        gpu.addTemperatures();
        gpu.addNvlinks();
        gpu.addCells();
        gpu.known.forEach(device.known::putIfAbsent);
        return gpu;
    }

    /** The values of the device, which differ from those of the GPU if it is a MIG device. */
    SmiValues ofDevice() {
        return device == null ? this : device;
    }

    boolean isKnown(String name) {
        return known.containsKey(name);
    }

    /** Nothing else is listed as one, such as the cards and CPUs of a claim. */
    boolean isGpu() {
        return !isKnown(NIC) && !get("nvml.isGpu").equals("false");
    }

    private String get(String name) {
        return known.getOrDefault(name, "");
    }

    private void put(String name, String value) {
        if (!value.isEmpty()) {
            known.put(name, value);
        }
    }

    /** Adds a value that is computed from a number, if the number is known. */
    private void derive(String name, String from, UnaryOperator<String> value) {
        if (isKnown(from)) {
            put(name, value.apply(get(from)));
        }
    }

    private int number(String name) {
        return Integer.parseInt(get(name));
    }

    private double compute() {
        return isKnown("compute") ? Double.parseDouble(get("compute")) : 0;
    }

    private boolean isKnownModel() {
        return isKnown(KNOWN_MODEL);
    }

    /** The value of a template; null if any part of it is unknown. */
    @Nullable String fill(String template) {
        if (template.startsWith("=")) {
            return isKnownModel() ? template.substring(1) : null;
        }
        Matcher placeholders = PLACEHOLDER.matcher(template);
        return placeholders.results().allMatch(one -> isKnown(one.group(1))) ? fillAll(template) : null;
    }

    /** The text of a template, with {@code N/A} for unknown parts. */
    String fillAll(String template) {
        return PLACEHOLDER
                .matcher(template)
                .replaceAll(one -> Matcher.quoteReplacement(aligned(
                        known.getOrDefault(one.group(1), "N/A"),
                        one.group(2) == null ? 0 : Integer.parseInt(one.group(2)))));
    }

    private static String aligned(String value, int width) {
        if (-width > 2 * CUT.length() && value.length() > -width) {
            return value.substring(0, -width - CUT.length()) + CUT;
        }
        return width == 0 ? value : String.format("%" + width + "s", value);
    }

    /** One set of values for each element of a list. */
    List<SmiValues> each(String list) {
        return switch (list) {
            case "clocks" ->
                items(Stream.of(get("nvml.supportedClocksMHz").split(",")).filter(clock -> !clock.isEmpty()));
            case "links" ->
                items(IntStream.range(0, isKnown("linkSpeed") && !isKnown(IS_MIG) ? number("nvml.nvlinks") : 0)
                        .mapToObj(Integer::toString));
            case "profiles" ->
                known.keySet().stream()
                        .filter(name -> name.startsWith(MigProfileLine.PREFIX))
                        .map(name -> MigProfileLine.parse(name, get(name)))
                        .sorted()
                        .map(profile -> with(profile.values(isKnown(IS_MIG))))
                        .toList();
            default -> throw new IllegalArgumentException("there is no list " + list);
        };
    }

    private List<SmiValues> items(Stream<String> items) {
        return items.map(item -> with(Map.of("item", item))).toList();
    }

    private SmiValues with(Map<String, String> more) {
        var all = new HashMap<>(known);
        all.putAll(more);
        return new SmiValues(all, device);
    }

    private void addNames() {
        String type = get("attribute.type");
        put(
                "name",
                type.equals("vgpu")
                        ? get("attribute.profile")
                        : first("attribute.productName", "attribute.model", "device"));
        // NVIDIA's driver publishes NvidiaRTX and QuadroRTX, where nvidia-smi prints NVIDIA RTX and Quadro RTX.
        put("brand", get("attribute.brand").replaceFirst("^Nvidia", "NVIDIA").replaceFirst("(?<=\\S)RTX$", " RTX"));
        put("architecture", get("attribute.architecture"));
        put("driverVersion", get("attribute.driverVersion"));
        derive(
                "nvmlVersion",
                "driverVersion",
                version -> version.matches("\\d+\\.\\d+\\.\\d+") ? shortened(version) : version);
        derive("cuda", "attribute.cudaDriverVersion", SmiValues::shortened);
        derive("compute", "attribute.cudaComputeCapability", SmiValues::shortened);
        put("gpuUuid", type.equals("mig") ? first("attribute.parentUUID", "uuid") : get("uuid"));
        derive("minor", "device", device -> device.replaceFirst("^(?:vgpu-)?gpu-(?:vfio-)?(\\d+).*|.*", "$1"));
        if (isKnownModel()) {
            put("moduleId", get("attribute.gpuModuleID"));
        }
    }

    private String first(String... names) {
        return Stream.of(names)
                .map(this::get)
                .filter(value -> !value.isEmpty())
                .findFirst()
                .orElse("");
    }

    /** The version without its last part. */
    private static String shortened(String version) {
        int dot = version.lastIndexOf('.');
        return dot < 0 ? version : version.substring(0, dot);
    }

    private void addAddress() {
        put("bus", get("nvml.busId"));
        Matcher address = ADDRESS.matcher(get("bus"));
        if (!address.matches()) {
            return;
        }
        put("pciDomain", address.group(1));
        put("pciBus", address.group(2));
        put("pciDevice", address.group(3));
        if (isKnownModel()) {
            put("pciBaseClass", "3");
            put("pciSubClass", "2");
            put(
                    "boardId",
                    "0x"
                            + Long.toHexString(
                                    Long.parseLong(address.group(1) + address.group(2) + address.group(3), 16)));
        }
        derive("pciDeviceId", KNOWN_MODEL, id -> id.substring(2));
        derive("pciSubsystemId", "nvml.pciSubsystemId", id -> id.substring(2));
    }

    /** Of network cards, nvidia-smi lists those with RDMA, by the names of the RDMA devices. */
    private void addPlace() {
        boolean hasRdma = Stream.of(
                        "attribute.dra.net/rdma", "attribute.sriovnetwork.k8snetworkplumbingwg.io/rdmaCapable")
                .anyMatch(name -> get(name).equals("true"));
        if (hasRdma) {
            put(NIC, first("attribute.dra.net/rdmaDevice", "device"));
            put("bus", first("attribute.resource.kubernetes.io/pciBusID", "attribute.dra.net/pciAddress"));
        }
        put(
                "numaNode",
                first("attribute.resource.kubernetes.io/numaNode", "attribute.dra.net/numaNode")
                        .replaceAll("[\\[\\]]", ""));
        put("sameRoot", isKnown("nvml.sameRoot") ? get("nvml.sameRoot") : "PHB");
    }

    private void addMig() {
        String type = get("attribute.type");
        if (type.equals("mig")) {
            put(IS_MIG, "yes");
            put("migMode", "Enabled");
            put("t.migUsed", get("nvml.memoryUsedMiB") + "MiB");
            put("t.migTotal", get("nvml.memoryTotalMiB") + "MiB");
        } else if (type.equals("gpu")
                && known.keySet().stream().anyMatch(name -> name.startsWith(MigProfileLine.PREFIX))) {
            put("migMode", "Disabled");
        }
        put("ci.profile", "0");
        put("ci.id", "0");
        derive("ci.placement", "attribute.profile", profile -> "0:" + profile.replaceFirst("g.*", ""));
    }

    /** A container cannot read the memory of a GPU if it has MIG devices of it. */
    private void addMemory() {
        for (String name : List.of("Total", "Reserved", "Used", "Free")) {
            String value = get("nvml.memory" + name + "MiB");
            if (isKnown(IS_MIG)) {
                put("memory" + name, NOT_PERMITTED);
            } else if (!value.isEmpty()) {
                put("memory" + name, value + " MiB");
                put("t." + name.toLowerCase(Locale.ROOT), value + "MiB");
            }
        }
        derive("bar1Total", "nvml.bar1TotalMiB", total -> total);
        derive("bar1Used", "bar1Total", total -> "1");
        derive("bar1Free", "bar1Total", total -> Integer.toString(Integer.parseInt(total) - 1));
    }

    private void addState() {
        if (isKnown("compute")) {
            put("ecc", "Enabled"); // as on all data center GPUs in the sources
        }
        if (isKnownModel() && isKnown("nvml.utilizationGpu")) {
            boolean isIdle = get("nvml.utilizationGpu").equals("0");
            put("idle", isIdle ? "Active" : "Not Active");
            put("activeReasons", isIdle ? "0x0000000000000001" : "0x0000000000000000");
            put("engines", "0");
        }
    }

    private void addTemperatures() {
        boolean areMargins = compute() >= MARGINS_SINCE;
        for (String name : List.of("MaxOperating", "Slowdown", "Shutdown", "MaxMemory")) {
            String limit = "nvml.temperature" + name;
            String key = name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
            if (isKnown(limit) && areMargins) {
                String from = name.equals("MaxMemory") ? limit : "nvml.temperatureMaxOperating";
                put(key + "Tlimit", Integer.toString(number(from) - number(limit)));
            } else {
                derive(key, limit, value -> value);
            }
        }
        if (areMargins && isKnown("nvml.temperatureGpu") && isKnown("nvml.temperatureMaxOperating")) {
            put("tlimit", Integer.toString(number("nvml.temperatureMaxOperating") - number("nvml.temperatureGpu")));
        }
    }

    private void addNvlinks() {
        derive(
                "linkSpeed",
                "nvml.nvlinkMBps",
                speed -> String.format(Locale.ROOT, "%.3f", Integer.parseInt(speed) / 1000.0));
        if (get("nvml.nvlinkC2c").equals("true")) {
            put("c2c", "Enabled");
        }
        if (isKnown("nvml.nvlinks") && compute() >= FABRIC_SINCE) {
            put("fabricState", "Completed");
            put("fabricStatus", "Success");
            put("fabricClique", "0");
            put("fabricCluster", "00000000-0000-0000-0000-000000000000");
        }
    }

    /** Adds the cells of the table and of {@code dmon}, which contain no spaces. */
    private void addCells() {
        if (isKnownModel()) {
            put("t.persistence", "On");
            put("t.display", "Off");
            put("t.pstate", "P0");
            put("t.compute", "Default");
            put("t.ecc", isKnown(IS_MIG) ? "On" : "0");
        }
        derive("t.temperature", "nvml.temperatureGpu", celsius -> celsius + "C");
        derive("t.power", "nvml.powerDrawW", watts -> watts + "W");
        derive("t.limit", "nvml.powerLimitW", watts -> watts + "W");
        derive("t.utilization", "nvml.utilizationGpu", percent -> percent + "%");
        Map.of(
                        "d.power", "nvml.powerDrawW",
                        "d.temperature", "nvml.temperatureGpu",
                        "d.memoryTemperature", "nvml.temperatureMemory",
                        "d.sm", "nvml.utilizationGpu",
                        "d.memory", "nvml.utilizationMemory",
                        "d.engines", "engines",
                        "d.memoryClock", "nvml.memoryClockMHz",
                        "d.smClock", "nvml.smClockMHz",
                        "d.bar1", "bar1Used")
                .forEach((cell, from) -> put(cell, isKnown(from) ? get(from) : "-"));
        put("d.fb", isKnown("t.used") ? get("nvml.memoryUsedMiB") : "-");
        put("d.zero", isKnownModel() ? "0" : "-");
    }
}
