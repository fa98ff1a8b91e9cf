package dev.fakegpu.cluster.check;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.engine.cel.Selector;
import dev.fakegpu.engine.cel.SelectorResult;
import dev.fakegpu.engine.cel.Selectors;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Rules about DeviceClasses that the API server does not have. */
final class ClassChecks {

    private static final Pattern DRIVER = Pattern.compile("device\\.driver\\s*==\\s*[\"']([^\"']+)[\"']");

    /** It caches compiled selectors, because compilation is slow. */
    private static final Selectors SELECTORS = Selectors.shared();

    private static final Rule RESOURCE_TWICE = Rule.warning(
            Scope.CLASS,
            "duplicate-extended-resource",
            "Only one of the classes serves the resource: the newest, and among equally old ones the first by name.",
            "Give the name to one class.",
            Sources.kep("5004 (extended resources by DRA)"));
    private static final Rule NO_SELECTORS = Rule.warning(
            Scope.CLASS,
            "class-without-selectors",
            "The class selects every device of every driver in the cluster.",
            "Select at least by driver: device.driver == \"gpu.example.com\".",
            Sources.types("DeviceClassSpec.selectors"));
    private static final Rule UNKNOWN_DRIVER = Rule.warning(
            Scope.CLASS,
            "class-of-unknown-driver",
            "No given slice is of the driver that the class selects, so claims of the class wait.",
            "Correct the driver's name, or check together with the driver's slices.",
            Sources.allocator("a request without a matching device is not satisfied"));
    private static final Rule NOTHING = Rule.warning(
            Scope.CLASS,
            "class-selects-nothing",
            "No given device of the driver matches, so claims of the class never get a device.",
            "Compare names, domains, types and values with the slices, or check with the slices of a node that has such devices.",
            Sources.allocator("a request without a matching device is not satisfied"));
    private static final Rule FAILS = Rule.error(
            Scope.CLASS,
            "class-selector-fails",
            "A CEL error on one device ends the scheduling attempt of every pod whose search reaches this device.",
            "Ask first whether the attribute is there, or select by driver first: device.driver == \"...\" && ...",
            Sources.allocator("CEL runtime errors abort the allocation"));
    private static final Rule CONFIG_DRIVER = Rule.warning(
            Scope.CLASS,
            "class-config-of-unknown-driver",
            "The configuration is for a driver without slices, so no driver reads it.",
            "Correct opaque.driver.",
            Sources.types("OpaqueDeviceConfiguration.driver"));

    static final List<Rule> RULES =
            List.of(RESOURCE_TWICE, NO_SELECTORS, UNKNOWN_DRIVER, NOTHING, FAILS, CONFIG_DRIVER);

    private final List<CheckedDevice> devices;
    private final Set<String> drivers;
    private final Map<String, String> resources = new HashMap<>();

    /** @param pools whose devices the classes may select */
    ClassChecks(List<CheckedPool> pools) {
        devices = pools.stream().flatMap(pool -> pool.devices().stream()).toList();
        drivers = pools.stream().map(pool -> pool.id().driver()).collect(Collectors.toSet());
    }

    void check(CheckedClass each, Violations findings) {
        extendedResource(each, findings);
        configs(each, findings);
        boolean compiles =
                each.errors().stream().noneMatch(error -> error.path().startsWith("spec.selectors"));
        if (compiles && !drivers.isEmpty()) {
            selection(each, findings);
        }
    }

    private void extendedResource(CheckedClass each, Violations findings) {
        String name = each.spec().path("extendedResourceName").asText();
        String other = name.isEmpty() ? null : resources.putIfAbsent(name, each.name());
        if (other != null) {
            findings.add(
                    RESOURCE_TWICE,
                    each.at("spec.extendedResourceName"),
                    Words.quoted(name) + " is the resource of DeviceClass " + other + ", too");
        }
    }

    private void configs(CheckedClass each, Violations findings) {
        JsonNode configs = each.spec().path("config");
        for (int i = 0; i < configs.size() && !drivers.isEmpty(); i++) {
            String path = "spec.config[" + i + "].opaque";
            String driver = configs.get(i).path("opaque").path("driver").asText();
            boolean isRefused =
                    each.errors().stream().anyMatch(error -> error.path().startsWith(path));
            if (!isRefused && !drivers.contains(driver)) {
                findings.add(CONFIG_DRIVER, each.at(path), "no slice is of driver " + Words.quoted(driver));
            }
        }
    }

    private void selection(CheckedClass each, Violations findings) {
        if (each.expressions().isEmpty()) {
            findings.add(NO_SELECTORS, each.at("spec.selectors"), "has none");
            return;
        }
        Set<String> wanted = wantedDrivers(each);
        if (!wanted.isEmpty() && wanted.stream().noneMatch(drivers::contains)) {
            findings.add(
                    UNKNOWN_DRIVER,
                    each.at("spec.selectors"),
                    "selects driver %s; the slices are of %s"
                            .formatted(Words.list(wanted), Words.list(new TreeSet<>(drivers))));
            return;
        }
        List<Selector> compiled =
                each.expressions().stream().map(SELECTORS::compile).toList();
        boolean selects = false;
        for (CheckedDevice device : devices) {
            SelectorResult result = evaluate(compiled, device);
            if (result instanceof SelectorResult.Error error) {
                findings.add(
                        FAILS,
                        each.at("spec.selectors"),
                        "fails on device %s of pool %s: %s"
                                .formatted(device.name(), device.slice().pool().name(), error.message()));
                return;
            }
            selects |= result instanceof SelectorResult.Match;
        }
        if (!selects) {
            findings.add(
                    NOTHING, each.at("spec.selectors"), "matches none of the %s devices".formatted(devices.size()));
        }
    }

    private static Set<String> wantedDrivers(CheckedClass each) {
        return DRIVER.matcher(String.join("\n", each.expressions()))
                .results()
                .map((MatchResult match) -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Evaluates selectors in order up to the first one that does not match, as the allocator does. */
    private static SelectorResult evaluate(List<Selector> compiled, CheckedDevice device) {
        SelectorResult result = new SelectorResult.Match();
        for (Selector selector : compiled) {
            result = selector.evaluate(device.slice().pool().driver(), device.device());
            if (!(result instanceof SelectorResult.Match)) {
                return result;
            }
        }
        return result;
    }
}
