package dev.fakegpu.hardware.dcgm;

import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceCapacity;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.hardware.dcgm.DcgmGpu.Entity;
import dev.fakegpu.hardware.dcgm.DcgmGpu.Errors;
import dev.fakegpu.hardware.dcgm.DcgmGpu.Identity;
import dev.fakegpu.hardware.dcgm.DcgmGpu.MigInstance;
import dev.fakegpu.hardware.dcgm.DcgmGpu.Mode;
import dev.fakegpu.hardware.dcgm.DcgmGpus.Naming;
import dev.fakegpu.hardware.inventory.NvmlGpu;
import java.math.BigDecimal;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Derives one {@link DcgmGpu} from its devices. */
final class GpuReader {

    private static final Pattern INDEX = Pattern.compile("gpu-(?:vfio-)?(\\d{1,9})(?!\\d)");
    private static final BigDecimal MEBIBYTE = BigDecimal.valueOf(1 << 20);
    private static final String FRAMEBUFFER = "framebuffer";
    private static final String MEMORY = "memory";
    private static final String ADDRESSABLE_MEMORY = "addressableMemory";
    private static final Pattern MEMORY_SLICE = Pattern.compile("memory(?:-slice-|Slice)(\\d{1,9})");
    private static final int MEMORY_SLICES = 8;

    private final DcgmGpus.Parts parts;
    private final Map<String, CounterSet> sets;
    private final Map<DeviceId, List<Holder>> holders;
    private final Naming naming;
    private final Slice slice;

    GpuReader(DcgmGpus.Parts parts, Map<String, CounterSet> sets, Map<DeviceId, List<Holder>> holders, Naming naming) {
        this.parts = parts;
        this.sets = sets;
        this.holders = holders;
        this.naming = naming;
        this.slice = parts.first().slice();
    }

    DcgmGpu read() {
        NvmlGpu nvml = parts.first().nvml();
        long memory = nvml.reported(memoryOfGpu());
        return new DcgmGpu(
                identity(),
                memory,
                parts.first().load(),
                OperatingRange.of(nvml.telemetry()),
                errors(),
                mode(),
                entities(memory));
    }

    private List<Holder> holders(Device device) {
        return holders.getOrDefault(slice.pool().device(device.name()), List.of());
    }

    private Stream<Device> held() {
        return parts.devices().stream().filter(device -> !holders(device).isEmpty());
    }

    static String text(Device device, String attribute) {
        return device.text(attribute).orElse("");
    }

    static String type(Device device) {
        return text(device, "type");
    }

    /** The value of the first device that has the attribute. */
    private String first(String... attributes) {
        return Stream.of(attributes)
                .flatMap(attribute -> parts.devices().stream().map(device -> text(device, attribute)))
                .filter(value -> !value.isEmpty())
                .findFirst()
                .orElse("");
    }

    private Identity identity() {
        Matcher index = INDEX.matcher(parts.devices().get(0).name());
        return new Identity(
                slice.pool(),
                index.find() ? Integer.parseInt(index.group(1)) : 0,
                uuid(),
                nvmlAddress(first(DcgmGpus.PCI_BUS_ID)),
                first("productName"),
                slice.nodesOf(parts.devices().get(0)) instanceof NodeSelection.NodeName only ? only.name() : "",
                first("driverVersion"));
    }

    /** The UUID of the GPU, not that of a VFIO device, which has its own. */
    private String uuid() {
        return parts.devices().stream()
                .filter(device -> !type(device).equals("vfio"))
                .flatMap(device -> Stream.of(text(device, "parentUUID"), text(device, "uuid")))
                .filter(value -> !value.isEmpty())
                .findFirst()
                .orElseGet(() -> first("uuid"));
    }

    /** The domain has eight digits in NVML and four in the driver's attribute. */
    static String nvmlAddress(String address) {
        int colon = address.indexOf(':');
        return "0".repeat(Math.max(0, 8 - colon)) + address.toUpperCase(Locale.ROOT);
    }

    /** Errors concern the whole GPU, whichever of its devices has the taint. */
    private Errors errors() {
        List<DeviceTaint> taints = parts.devices().stream()
                .flatMap(device -> device.taints().stream())
                .toList();
        String driver = slice.pool().driver();
        boolean lost = taints.stream().anyMatch(taint -> taint.key().equals(driver + "/gpu-lost"));
        int xid = taints.stream()
                .filter(taint -> taint.key().equals(driver + "/xid"))
                .map(DeviceTaint::value)
                .filter(value -> value.matches("\\d{1,9}"))
                .findFirst()
                .map(Integer::parseInt)
                .orElse(0);
        return new Errors(xid, lost);
    }

    private Mode mode() {
        Set<Mode> modes = EnumSet.noneOf(Mode.class);
        held().map(GpuReader::modeOf).forEach(modes::add);
        if (modes.isEmpty()) {
            return Mode.IDLE;
        }
        return modes.size() == 1 ? modes.iterator().next() : Mode.CONFLICT;
    }

    private static Mode modeOf(Device device) {
        return switch (type(device)) {
            case "mig" -> Mode.MIG;
            case "vgpu" -> Mode.VGPU;
            case "vfio" -> Mode.VFIO;
            default -> device.allowMultipleAllocations() ? Mode.SHARED : Mode.WHOLE;
        };
    }

    private List<Entity> entities(long memoryOfGpu) {
        List<Device> partitions = parts.devices().stream()
                .filter(device -> isStaticMig(device)
                        || (isPartition(device) && !holders(device).isEmpty()))
                .toList();
        if (!partitions.isEmpty()) {
            return partitions.stream().flatMap(this::ofHolders).toList();
        }
        List<Device> whole = held().toList();
        if (whole.isEmpty()) {
            return List.of(new Entity(parts.devices().get(0).name(), memoryOfGpu, null, "", false, null));
        }
        Device device = whole.get(0);
        List<Holder> holders = named(device);
        return holders.isEmpty()
                ? List.of(new Entity(device.name(), memoryOfGpu, null, "", isBusy(device), null))
                : holders.stream()
                        .map(holder -> new Entity(device.name(), memoryOfGpu, null, "", isBusy(device), holder))
                        .toList();
    }

    private static boolean isPartition(Device device) {
        return type(device).equals("mig") || type(device).equals("vgpu");
    }

    /** Whether the device is a static MIG device. It excludes no other device, so it has no counters. */
    private static boolean isStaticMig(Device device) {
        return type(device).equals("mig") && device.consumesCounters().isEmpty();
    }

    private boolean isBusy(Device device) {
        return holders(device).stream().anyMatch(Holder::runs);
    }

    /** The holders of a device. If several claims share it, each has the same samples, as dcgm-exporter reports for time-slicing. */
    private List<Holder> named(Device device) {
        return naming == Naming.NAMED ? holders(device) : List.of();
    }

    private Stream<Entity> ofHolders(Device device) {
        List<Holder> holders = named(device);
        return holders.isEmpty()
                ? Stream.of(partition(device, null))
                : holders.stream().map(holder -> partition(device, holder));
    }

    private Entity partition(Device device, @Nullable Holder holder) {
        return type(device).equals("mig")
                ? new Entity(
                        device.name(),
                        ownMemory(device),
                        new MigInstance(text(device, "profile"), instanceId(device, sets)),
                        "",
                        isBusy(device),
                        holder)
                : new Entity(
                        device.name(),
                        ownMemory(device),
                        null,
                        device.name().replaceFirst("^vgpu-gpu-\\d+-", ""),
                        isBusy(device),
                        holder);
    }

    /** The memory of the device itself in MiB; 0 if it is not known. A vGPU has no capacity, but takes its part of the GPU's memory. */
    static long ownMemory(Device device) {
        return mebibytes(type(device).equals("vgpu") ? consumed(device, FRAMEBUFFER) : memoryCapacity(device));
    }

    private static Quantity memoryCapacity(Device device) {
        return capacity(device, MEMORY).max(capacity(device, ADDRESSABLE_MEMORY));
    }

    private long memoryOfGpu() {
        for (String name : List.of(MEMORY, ADDRESSABLE_MEMORY)) {
            Quantity whole = parts.devices().stream()
                    .filter(device -> !type(device).equals("mig"))
                    .map(device -> capacity(device, name))
                    .reduce(Quantity.ZERO, Quantity::max);
            if (whole.signum() > 0) {
                return mebibytes(whole);
            }
        }
        if (parts.devices().stream().allMatch(GpuReader::isStaticMig)) {
            return parts.devices().stream().mapToLong(GpuReader::ownMemory).sum();
        }
        return mebibytes(parts.devices().stream()
                .flatMap(device -> device.consumesCounters().stream())
                .flatMap(entry -> Stream.ofNullable(sets.get(entry.counterSet())))
                .flatMap(set -> Stream.of(FRAMEBUFFER, MEMORY)
                        .flatMap(name -> Stream.ofNullable(set.counters().get(name))))
                .findFirst()
                .orElse(Quantity.ZERO));
    }

    /**
     * Numbers instances from the largest to the smallest, and those of the same size by their position, so that instances that exist
     * together have different numbers: on an A100, 7g.40gb is 0, 3g.20gb are 1 and 2, 2g.10gb are 3 to 5, and 1g.5gb are 7 to 13. A static
     * MIG device does not tell how many memory slices its GPU has; all but the A30 have eight.
     */
    static int instanceId(Device device, Map<String, CounterSet> sets) {
        if (isStaticMig(device)) {
            return instanceId(memorySlices(device.capacity().keySet()), MEMORY_SLICES);
        }
        for (CounterConsumption entry : device.consumesCounters()) {
            CounterSet set = sets.get(entry.counterSet());
            List<Integer> slices = memorySlices(entry.counters().keySet());
            if (set != null && !slices.isEmpty()) {
                return instanceId(slices, memorySlices(set.counters().keySet()).size());
            }
        }
        return 0;
    }

    /** The memory slices of a MIG device as {@code first:number}; null if they are not known. */
    static @Nullable String placement(Device device) {
        return (isStaticMig(device)
                        ? Stream.of(device.capacity().keySet())
                        : device.consumesCounters().stream()
                                .map(entry -> entry.counters().keySet()))
                .map(GpuReader::memorySlices)
                .filter(slices -> !slices.isEmpty())
                .map(slices -> slices.stream().mapToInt(Integer::intValue).min().orElseThrow() + ":" + slices.size())
                .findFirst()
                .orElse(null);
    }

    private static int instanceId(List<Integer> slices, int ofGpu) {
        int size = Math.max(1, slices.size());
        int start = slices.stream().mapToInt(Integer::intValue).min().orElse(0);
        return Math.max(0, ofGpu / size - 1) + start / size;
    }

    /** The indexes of memory slices, from the names of counters or capacities. */
    private static List<Integer> memorySlices(Set<String> names) {
        return names.stream()
                .map(MEMORY_SLICE::matcher)
                .filter(Matcher::matches)
                .map(slice -> Integer.valueOf(slice.group(1)))
                .toList();
    }

    private static Quantity consumed(Device device, String counter) {
        return device.consumesCounters().stream()
                .flatMap(entry -> Stream.ofNullable(entry.counters().get(counter)))
                .findFirst()
                .orElse(Quantity.ZERO);
    }

    private static Quantity capacity(Device device, String name) {
        DeviceCapacity capacity = device.capacity().get(name);
        return capacity == null ? Quantity.ZERO : capacity.value();
    }

    private static long mebibytes(Quantity quantity) {
        return quantity.value().divideToIntegralValue(MEBIBYTE).longValue();
    }
}
