package dev.fakegpu.allocate;

/** What came of looking at claims on a node. */
public sealed interface Inspected {

    /** Their devices can be looked at. */
    record Open(Inspection inspection) implements Inspected {}

    /** An attempt ends before it comes to any device. */
    record Faulty(Fault fault) implements Inspected {}
}
