package dev.fakegpu.hardware.catalog;

/**
 * The position of an instance on the GPU: memory slices {@code start} to {@code start + size - 1}. {@code nvidia-smi mig -lgipp} prints it
 * as {@code {start}:size}.
 */
public record MigPlacement(int start, int size) {}
