package dev.fakegpu.hardware.dcgm;

import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.hardware.dcgm.DcgmField.Reading;
import dev.fakegpu.hardware.dcgm.DcgmGpu.Entity;
import dev.fakegpu.hardware.dcgm.LoadCurve.Load;
import java.io.IOException;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** Writes samples one after the other in Prometheus' text format, as dcgm-exporter does. */
public final class DcgmText {

    private DcgmText() {}

    /** @param now the time for which the load is computed */
    public static void write(List<DcgmGpu> gpus, Instant now, Appendable out) throws IOException {
        // The keys are labels as text, without braces. Prometheus rejects the whole response if two samples have the
        // same labels. That can happen for GPUs in two pools whose attributes a user has made equal.
        var rows = new LinkedHashMap<String, Reading>();
        gpus.forEach(gpu -> addRows(gpu, now, rows));
        for (DcgmField field : DcgmField.values()) {
            out.append("# HELP ")
                    .append(field.name())
                    .append(' ')
                    .append(field.help())
                    .append('\n');
            out.append("# TYPE ").append(field.name()).append(" gauge\n");
            for (var row : rows.entrySet()) {
                write(field, row.getKey(), row.getValue(), out);
            }
        }
    }

    private static void write(DcgmField field, String labels, Reading reading, Appendable out) throws IOException {
        OptionalDouble value = field.read(reading);
        if (value.isEmpty()) {
            return;
        }
        out.append(field.name()).append('{').append(labels);
        if (field == DcgmField.DCGM_FI_DEV_XID_ERRORS) {
            out.append(",err_code=\"").append(number(value.getAsDouble())).append('"');
        }
        out.append("} ").append(number(value.getAsDouble())).append('\n');
    }

    private static String number(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }

    private static void addRows(DcgmGpu gpu, Instant now, Map<String, Reading> rows) {
        double gpuLoad = 0;
        var devices = new HashSet<String>();
        for (Entity entity : gpu.entities()) {
            // Each claim that shares a device has an entity.
            if (devices.add(entity.device())) {
                double part = entity.mig() == null || gpu.memoryMiB() == 0
                        ? 1
                        : (double) entity.memoryMiB() / gpu.memoryMiB();
                gpuLoad = Math.min(1, gpuLoad + part * load(gpu, entity, now).utilization());
            }
        }
        for (Entity entity : gpu.entities()) {
            var reading = new Reading(gpu.range(), gpu.errors(), entity.memoryMiB(), load(gpu, entity, now), gpuLoad);
            rows.putIfAbsent(labels(gpu.identity(), entity), reading);
        }
    }

    private static Load load(DcgmGpu gpu, Entity entity, Instant now) {
        return LoadCurve.at(now, gpu.load(), entity.busy());
    }

    private static String labels(DcgmGpu.Identity gpu, Entity entity) {
        var labels = new StringBuilder();
        add(labels, "gpu", Integer.toString(gpu.index()));
        add(labels, "UUID", gpu.uuid());
        add(labels, "pci_bus_id", gpu.pciBusId());
        add(labels, "device", "nvidia" + gpu.index());
        add(labels, "modelName", gpu.modelName());
        if (entity.mig() != null) {
            add(labels, "GPU_I_PROFILE", entity.mig().profile());
            add(labels, "GPU_I_ID", Integer.toString(entity.mig().id()));
        }
        addUnlessEmpty(labels, "Hostname", gpu.hostname());
        addUnlessEmpty(labels, "DCGM_FI_DRIVER_VERSION", gpu.driverVersion());
        Holder holder = entity.holder();
        if (holder != null) {
            addHolder(labels, gpu.pool().device(entity.device()), holder);
        }
        addUnlessEmpty(labels, "vgpu", entity.vgpu());
        return labels.toString();
    }

    private static void addHolder(StringBuilder labels, DeviceId device, Holder holder) {
        addUnlessEmpty(labels, "container", holder.container());
        add(labels, "dra_claim_name", holder.claim());
        add(labels, "dra_claim_namespace", holder.namespace());
        add(labels, "dra_device_name", device.device());
        add(labels, "dra_driver_name", device.driver());
        add(labels, "dra_pool_name", device.pool());
        if (!holder.pod().isEmpty()) {
            add(labels, "namespace", holder.namespace());
            add(labels, "pod", holder.pod());
        }
    }

    private static void addUnlessEmpty(StringBuilder labels, String name, String value) {
        if (!value.isEmpty()) {
            add(labels, name, value);
        }
    }

    private static void add(StringBuilder labels, String name, String value) {
        if (!labels.isEmpty()) {
            labels.append(',');
        }
        labels.append(name).append("=\"");
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '\\' -> labels.append("\\\\");
                case '"' -> labels.append("\\\"");
                case '\n' -> labels.append("\\n");
                default -> labels.append(c);
            }
        }
        labels.append('"');
    }
}
