package dev.fakegpu.cli;

import io.quarkus.runtime.annotations.QuarkusMain;

/** Entry point. */
@QuarkusMain
public final class Main {
    private Main() {}

    public static void main(String... args) {
        System.out.println("hello");
    }
}
