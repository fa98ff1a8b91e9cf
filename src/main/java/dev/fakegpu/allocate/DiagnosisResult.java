package dev.fakegpu.allocate;

/** What came of looking at claims on a node. */
public sealed interface DiagnosisResult {

    /** Their devices can be looked at. */
    record Open(Diagnosis inspection) implements DiagnosisResult {}

    /** An attempt ends before it comes to any device. */
    record Faulty(RequestError fault) implements DiagnosisResult {}
}
