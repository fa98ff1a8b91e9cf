package dev.fakegpu.simulate.controller;

import java.time.Duration;
import java.time.Instant;

/** The time of a simulation. */
public interface ControllerTime {

    Instant instant();

    /** Runs an action later. */
    void after(Duration delay, Runnable work);
}
