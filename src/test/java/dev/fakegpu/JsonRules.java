package dev.fakegpu;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.TSFBuilder;
import com.fasterxml.jackson.core.TokenStreamFactory;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.MapperBuilder;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.junit.ArchTest;
import dev.fakegpu.dra.ApiJson;
import java.util.List;
import java.util.Set;

/** JSON that strangers wrote is read with the limits of {@link ApiJson}, not with those of Jackson. Part of {@link ArchitectureTest}. */
final class JsonRules {

    private JsonRules() {}

    /** Classes that create a parser or generator of JSON or YAML with Jackson's limits, with the JSON. */
    private static final Set<String> NO_TEXT_OF_STRANGERS = Set.of(
            "cli.AllocateCommand", // writes answers
            "cli.AnswerOutput", // writes answers
            "cli.CompactCommand", // writes objects
            "cli.input.FakeGpus", // a tree
            "cluster.validation.ConfigValidation", // writes a tree of any depth
            "dashboard.server.DashboardFeed", // writes the picture
            "dra.ApiJson",
            "dra.field.JsonType", // writes values
            "dra.wire.MixedSlices", // values
            "dra.wire.NodeAllocatableUses", // an object
            "dra.wire.SliceReader", // an object
            "dra.wire.SliceWriter", // values
            "engine.problemfile.ProblemReader", // files of the user who runs the command
            "engine.problemfile.ProblemStream", // files of the user who runs the command
            "hardware.catalog.ModelFormat", // models, which may be refused; YAML keeps no field names
            "hardware.catalog.NodeProfile", // resources of this program
            "operator.prepare.plugin.CdiSpec", // files that the plugin wrote
            "operator.prepare.plugin.Checkpoint", // a file that the plugin wrote
            "operator.prepare.plugin.ClaimMetadata", // writes files
            "operator.publish.pool.FaultTimeline", // writes faults
            "operator.publish.server.FieldProbe"); // the API server's OpenAPI document

    private static final List<Class<?>> CREATORS =
            List.of(ObjectMapper.class, MapperBuilder.class, TokenStreamFactory.class, TSFBuilder.class);

    @ArchTest
    static void nothingElseParsesJsonWithTheLimitsOfJackson(JavaClasses classes) {
        assertThat(TimeRules.namesOfCallers(classes, JsonRules::createsWithDefaults))
                .containsExactlyInAnyOrderElementsOf(NO_TEXT_OF_STRANGERS);
    }

    /** Whether the call creates a parser without a given factory. */
    private static boolean createsWithDefaults(AccessTarget call) {
        return (call.getName().equals("<init>") || call.getName().equals("builder"))
                && call.getOwner().getPackageName().startsWith("com.fasterxml.jackson.")
                && CREATORS.stream()
                        .anyMatch(creator ->
                                creator.isAssignableFrom(call.getOwner().reflect()))
                && call instanceof CodeUnitAccessTarget unit
                && unit.getRawParameterTypes().stream().noneMatch(each -> each.isEquivalentTo(JsonFactory.class));
    }
}
