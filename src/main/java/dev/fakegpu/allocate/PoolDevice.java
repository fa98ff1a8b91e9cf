package dev.fakegpu.allocate;

import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.NodeSelection;

/** A published device with where it was found. */
public record PoolDevice(DeviceId id, Device device, NodeSelection nodes) {}
