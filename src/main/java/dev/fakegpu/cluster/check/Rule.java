package dev.fakegpu.cluster.check;

/**
 * A rule for the objects of a driver.
 *
 * @param name in kebab case; stable, since CI configurations refer to it
 * @param why the consequences of breaking the rule
 * @param fix how to fix it
 * @param source the source of the rule: a function or constant of Kubernetes, or a KEP
 */
public record Rule(String name, Severity severity, Scope scope, String why, String fix, String source) {

    static Rule error(Scope scope, String name, String why, String fix, String source) {
        return new Rule(name, Severity.ERROR, scope, why, fix, source);
    }

    static Rule warning(Scope scope, String name, String why, String fix, String source) {
        return new Rule(name, Severity.WARNING, scope, why, fix, source);
    }
}
