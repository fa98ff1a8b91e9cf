package dev.fakegpu.dashboard;

import dev.fakegpu.cluster.holdings.Gpu;
import dev.fakegpu.cluster.holdings.HeldClaim;
import dev.fakegpu.cluster.holdings.Holdings;
import dev.fakegpu.dashboard.GpuView.Strip;
import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceCapacity;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.hardware.inventory.Specs;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One piece of hardware of each kind, with claims {@code team/DEVICE} that hold parts of it. */
record SmallHardware(List<CounterSet> sets, List<Device> devices, List<HeldClaim> claims) {

    private static final PoolId POOL = new PoolId("gpu.example.com", "node-1");
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final int SLICES = 8;

    /** A GPU with eight memory slices and seven engines: {@code mig-SIZE-PLACE} and the whole {@code gpu-0}. */
    static SmallHardware mig() {
        Map<String, Quantity> total = slices(0, SLICES);
        total.put("engines", Quantity.of(7));
        var devices = new ArrayList<Device>();
        devices.add(device("gpu-0", Map.of("gpu-0-counter-set", total), "gpu-full"));
        for (int size : new int[] {1, 2, 4}) {
            for (int place = 0; place < SLICES / size; place++) {
                Map<String, Quantity> used = slices(place * size, size);
                used.put("engines", Quantity.of(size));
                devices.add(device("mig-" + size + "-" + place, Map.of("gpu-0-counter-set", used), "mig"));
            }
        }
        return new SmallHardware(List.of(new CounterSet("gpu-0-counter-set", total)), devices, List.of());
    }

    private static Map<String, Quantity> slices(int first, int count) {
        Map<String, Quantity> counters = new LinkedHashMap<>();
        for (int i = first; i < first + count; i++) {
            counters.put("memory-slice-" + i, Quantity.ONE);
        }
        return counters;
    }

    /** Four vGPUs of 10Gi. */
    static SmallHardware vgpu() {
        var devices = new ArrayList<Device>();
        for (int slot = 0; slot < 4; slot++) {
            devices.add(
                    device("vgpu-" + slot, Map.of("gpu-0", Map.of("framebuffer", Quantity.parse("10Gi"))), "vgpu-10c"));
        }
        var set = new CounterSet("gpu-0", Map.of("framebuffer", Quantity.parse("40Gi")));
        return new SmallHardware(List.of(set), devices, List.of());
    }

    /** A device of 40Gi that claims share. */
    static SmallHardware shared() {
        return shared("memory", "40Gi");
    }

    /** A device of 40Gi that claims share, with another capacity. */
    static SmallHardware shared(String capacity, String total) {
        var capacities = new LinkedHashMap<String, DeviceCapacity>();
        capacities.put("memory", DeviceCapacity.of(Quantity.parse("40Gi")));
        capacities.put(capacity, DeviceCapacity.of(Quantity.parse(total)));
        Device device = new Device("gpu-0", Map.of(), Map.of(), List.of(), List.of()).sharedBy(capacities);
        return new SmallHardware(List.of(), List.of(device), List.of());
    }

    /** Half of the slices of a GPU as a device of 20Gi that claims share, and a device that needs all of them. */
    static SmallHardware sharedPart() {
        Device half = device("gpu-0", Map.of("gpu-0-counter-set", slices(0, SLICES / 2)), "mig")
                .sharedBy(Map.of("memory", DeviceCapacity.of(Quantity.parse("20Gi"))));
        Device whole = device("whole", Map.of("gpu-0-counter-set", slices(0, SLICES)), "gpu-full");
        var set = new CounterSet("gpu-0-counter-set", slices(0, SLICES));
        return new SmallHardware(List.of(set), List.of(half, whole), List.of());
    }

    /** An A100 with static MIG devices, which have no counters. */
    static SmallHardware staticMig(String devices) {
        var spec =
                Specs.spec("{model: A100-SXM4-40GB, partitions: {mig: {static: [{devices: %s}]}}}".formatted(devices));
        return new SmallHardware(List.of(), Specs.plan(spec).devices(), List.of());
    }

    /** A device without counters. */
    static SmallHardware plain() {
        return new SmallHardware(
                List.of(), List.of(new Device("gpu-0", Map.of(), Map.of(), List.of(), List.of())), List.of());
    }

    /** Two cards of 64Gi, and a device that uses half of each. */
    static SmallHardware bridge() {
        Map<String, Quantity> half = Map.of("memory", Quantity.parse("32Gi"));
        Map<String, Quantity> quarter = Map.of("memory", Quantity.parse("16Gi"));
        Map<String, Quantity> whole = Map.of("memory", Quantity.parse("64Gi"));
        return new SmallHardware(
                List.of(new CounterSet("card-0", whole), new CounterSet("card-1", whole)),
                List.of(
                        device("both", Map.of("card-0", half, "card-1", half), "bridge"),
                        device("small-0", Map.of("card-0", quarter), "slices")),
                List.of());
    }

    private static Device device(String name, Map<String, Map<String, Quantity>> consumption, String group) {
        return new Device(
                name,
                Map.of(),
                Map.of(),
                consumption.entrySet().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .map(entry -> new CounterConsumption(entry.getKey(), entry.getValue(), List.of(group)))
                        .toList(),
                List.of());
    }

    SmallHardware held(String... names) {
        return new SmallHardware(
                sets,
                devices,
                Arrays.stream(names).map(name -> claim(name, name, null)).toList());
    }

    /** Adds claims {@code team/share-0}, … for amounts of the memory of the shared device. */
    SmallHardware shares(String... amounts) {
        var shares = new ArrayList<HeldClaim>();
        for (String amount : amounts) {
            var share = new AllocatedDevice.Share("id-" + shares.size(), Map.of("memory", Quantity.parse(amount)));
            shares.add(claim("share-" + shares.size(), "gpu-0", share));
        }
        return new SmallHardware(sets, devices, shares);
    }

    private static HeldClaim claim(String name, String device, AllocatedDevice.Share share) {
        var ref = new ClaimRef("team", name, "uid-" + name);
        return new HeldClaim(
                ref,
                NOW,
                List.of(new AllocatedDevice(POOL.device(device), ref, null, share)),
                List.of(name),
                List.of(),
                List.of("parts"),
                Map.of(),
                List.of());
    }

    SmallHardware tainted(String key) {
        return new SmallHardware(
                sets,
                devices.stream()
                        .map(device -> device.withTaints(List.of(new DeviceTaint(key, "", "NoSchedule"))))
                        .toList(),
                claims);
    }

    Gpu gpu() {
        var node = new NodeSelection.NodeName("node-1");
        List<Slice> slices = List.of(
                new Slice("0", POOL, 1, 2, node, sets, List.of()),
                new Slice("1", POOL, 1, 2, node, List.of(), devices));
        return Holdings.of(slices, claims).get(0);
    }

    GpuView view() {
        return GpuViews.of(gpu(), new GpuViews.Origin("a100", "Companion", List.of()));
    }

    Strip strip() {
        return StripLayout.of(gpu());
    }
}
